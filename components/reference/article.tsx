"use client";
import { type MouseEvent, useEffect, useRef, useState } from "react";
import { loadDialog } from "#components/ui/load-dialog.tsx";
import { Segmented } from "#components/ui/segmented.tsx";
import type { TriedRequest } from "./try-it.tsx";

/** Chosen on an earlier page. */
let lastLanguage: string | null = null;

/** Pixels from the top of the screen: a heading whose address is opened stands just above. */
const READ_FROM = 144;

const TryIt = loadDialog(() => import("./try-it.tsx"));

export interface ReferenceArticleProps {
  readonly html: string;
  /** Language of the examples → its name; the first one is shown. */
  readonly languages: Readonly<Record<string, string>>;
}

/** A document of the reference: each example can be copied, those of requests have several languages and can be tried. */
export function ReferenceArticle({ html, languages }: ReferenceArticleProps) {
  const articleRef = useRef<HTMLElement>(null);
  const [language, setLanguage] = useState(lastLanguage ?? Object.keys(languages)[0] ?? "");
  const [tried, setTried] = useState<TriedRequest | null>(null);
  const hasSamples = html.includes('class="sample"');

  useEffect(() => {
    const article = articleRef.current;
    for (const example of article?.querySelectorAll("pre") ?? []) {
      if (example.querySelector("button")) continue;
      const actions = document.createElement("span");
      actions.className = "code-actions";
      if (example.closest(".sample")) addButton(actions, "Try it", "try");
      addButton(actions, "Copy", "copy");
      example.prepend(actions);
    }
  }, []);

  useEffect(() => {
    const headings = [...(articleRef.current?.querySelectorAll(":is(h2, h3)[id]") ?? [])];
    const onScroll = () =>
      markRead(headings.findLast((heading) => heading.getBoundingClientRect().top < READ_FROM)?.id ?? null);
    onScroll();
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => window.removeEventListener("scroll", onScroll);
  }, []);

  async function press({ target }: MouseEvent) {
    if (!(target instanceof HTMLButtonElement)) return;
    if (target.dataset.does === "try") {
      return setTried(JSON.parse(target.closest<HTMLElement>(".sample")?.dataset.request ?? "null"));
    }
    try {
      await navigator.clipboard.writeText(target.closest("pre")?.querySelector("code")?.textContent?.trimEnd() ?? "");
      target.textContent = "Copied";
    } catch {
      target.textContent = "Not copied: select the text";
    }
  }

  return (
    <>
      {hasSamples && (
        <div className="mb-4 flex justify-end print:hidden">
          <Segmented
            label="Language of the examples"
            onValueChange={(chosen) => {
              lastLanguage = chosen;
              setLanguage(chosen);
            }}
            options={Object.entries(languages).map(([value, label]) => ({ value, label }))}
            value={language}
          />
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: its buttons are clicked, by keyboard as well */}
      <article
        className="reference"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered from our own documents
        dangerouslySetInnerHTML={{ __html: html }}
        data-language={language}
        onClick={press}
        ref={articleRef}
      />
      {tried && <TryIt onGiveUp={() => setTried(null)} props={{ request: tried, onClose: () => setTried(null) }} />}
    </>
  );
}

/** In the page's contents. */
function markRead(id: string | null): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>("nav a[href^='#']")) {
    if (id !== null && link.hash === `#${id}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

function addButton(place: HTMLElement, text: string, does: string): void {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.dataset.does = does;
  place.append(button);
}
