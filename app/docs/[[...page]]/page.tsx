import { notFound } from "next/navigation";
import { ReferenceArticle } from "#components/reference/article.tsx";
import { ReferenceLayout } from "#components/reference/layout.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { type ReferencePage, readReference, referenceHref, referencePages } from "#lib/dashboard/reference.ts";
import { sampleLanguages } from "#lib/dashboard/samples.ts";
import { takeVisitorTurn } from "#lib/dashboard/visitor.ts";

interface DocsPageProps {
  readonly params: Promise<{ readonly page?: readonly string[] }>;
}

async function findPage({ params }: DocsPageProps): Promise<ReferencePage> {
  const slug = ((await params).page ?? []).join("/");
  return referencePages.find((page) => page.slug === slug) ?? notFound();
}

/** Public: who has no account yet can read what the API does. */
export default async function DocsPage(props: DocsPageProps) {
  const page = await findPage(props);
  await takeVisitorTurn();
  const { html, headings } = readReference(page);
  const links = referencePages.map((one) => ({
    href: referenceHref(one),
    title: one.title,
    headings: one === page ? headings : null,
  }));
  return (
    <ReferenceLayout links={links}>
      <PageTitle>{`${page.title} · API reference`}</PageTitle>
      <ReferenceArticle html={html} key={page.slug} languages={sampleLanguages} />
    </ReferenceLayout>
  );
}
