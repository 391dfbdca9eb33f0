"use client";
import { type MouseEvent, useEffect, useRef } from "react";

/** A document of the reference; each example gets a button that copies it. */
export function ReferenceArticle({ html }: { readonly html: string }) {
  const articleRef = useRef<HTMLElement>(null);
  useEffect(() => {
    for (const example of articleRef.current?.querySelectorAll("pre") ?? []) {
      if (example.querySelector("button")) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "Copy";
      example.prepend(button);
    }
  }, []);

  async function copy({ target }: MouseEvent) {
    if (!(target instanceof HTMLButtonElement)) return;
    try {
      await navigator.clipboard.writeText(target.parentElement?.querySelector("code")?.textContent ?? "");
      target.textContent = "Copied";
    } catch {
      target.textContent = "Not copied: select the text";
    }
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: its buttons are clicked, by keyboard as well
    <article
      className="reference"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered from our own documents
      dangerouslySetInnerHTML={{ __html: html }}
      onClick={copy}
      ref={articleRef}
    />
  );
}
