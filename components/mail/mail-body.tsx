"use client";
import { useLayoutEffect, useRef, useState } from "react";
import { Card } from "#components/ui/card.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";

export interface MailBodyProps {
  readonly text: string;
  readonly html: string;
}

/** A message as it is read. */
export function MailBody({ text, html }: MailBodyProps) {
  return (
    <Card title="Message">
      <MailFrame html={html} />
      <Disclosure className="mt-3" summary="Show as text">
        <pre className="wrap-anywhere mt-2 whitespace-pre-wrap font-mono text-sm">{text}</pre>
      </Disclosure>
    </Card>
  );
}

/**
 * A message in a frame that runs nothing and reaches nothing, not even this page, which therefore cannot ask for its
 * height: it lays out a copy.
 */
function MailFrame({ html }: { readonly html: string }) {
  const ref = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState<number | null>(null);
  useLayoutEffect(() => {
    const frame = ref.current;
    if (frame === null) return;
    const copy = layOutCopy(html, frame);
    const observer = new ResizeObserver(() => {
      copy.style.width = `${frame.clientWidth}px`;
      setHeight(copy.offsetHeight + frame.offsetHeight - frame.clientHeight);
    });
    observer.observe(frame);
    observer.observe(copy);
    return () => {
      observer.disconnect();
      copy.remove();
    };
  }, [html]);
  return (
    <iframe
      className="h-96 w-full rounded-md border bg-white"
      ref={ref}
      sandbox=""
      // It is as high as the message. A scroll bar would make the message narrower and so higher, and stay.
      scrolling="no"
      srcDoc={html}
      style={height === null ? undefined : { height }}
      title="Message"
    />
  );
}

/** Out of sight, beyond the page's styles, and with nothing of the message but its text and its own styles. */
function layOutCopy(html: string, frame: HTMLElement): HTMLElement {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const element of body.querySelectorAll("*")) {
    for (const { name } of [...element.attributes]) if (name !== "style") element.removeAttribute(name);
  }
  const copy = document.createElement("div");
  copy.inert = true;
  copy.style.cssText = "all: initial; display: flow-root; position: absolute; visibility: hidden; left: 0; top: 0";
  copy.attachShadow({ mode: "closed" }).append(...body.childNodes);
  frame.before(copy);
  return copy;
}
