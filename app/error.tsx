"use client";
import { PageAlone } from "#components/shell/page-alone.tsx";
import { PageError, type PageErrorProps } from "#components/ui/page-error.tsx";

/** For what fails before there is a shell, as when the database is away. */
export default function ErrorPage(props: PageErrorProps) {
  return (
    <PageAlone wide>
      <div>
        <PageError {...props} />
      </div>
    </PageAlone>
  );
}
