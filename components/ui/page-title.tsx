/** The window's title. React moves it into the head, and changes it in the same moment as the page. */
export function PageTitle({ children }: { readonly children: string }) {
  return <title>{`${children} · License Desk`}</title>;
}

/** For a page that shows no heading of its own. */
export function HiddenTitle({ children }: { readonly children: string }) {
  return (
    <>
      <PageTitle>{children}</PageTitle>
      <h1 className="sr-only">{children}</h1>
    </>
  );
}
