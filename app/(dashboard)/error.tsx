"use client";
import { PageError, type PageErrorProps } from "#components/ui/page-error.tsx";

/** The shell stays around it. */
export default function ErrorPage(props: PageErrorProps) {
  return <PageError {...props} />;
}
