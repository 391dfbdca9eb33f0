"use client";
import { PageError, type PageErrorProps } from "#components/ui/page-error.tsx";

/** For what fails before there is a shell, as when the database is away. */
export default function ErrorPage(props: PageErrorProps) {
  return (
    <main className="grid min-h-dvh place-items-center px-4">
      <div className="w-full max-w-md">
        <PageError {...props} />
      </div>
    </main>
  );
}
