"use client";
import { Check, Copy } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { IconButton } from "./icon-button.tsx";
import { toast } from "./toast-store.ts";

const CONFIRMATION_MS = 1_600;

export interface CopyButtonProps {
  readonly value: string;
  /** Says what is copied, e.g. "Copy license key". */
  readonly label: string;
}

export function CopyButton({ value, label }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const timerRef = useRef(0);
  useEffect(() => () => window.clearTimeout(timerRef.current), []);

  async function copy() {
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      toast({
        title: "Copying was refused by the browser",
        description: "Select the text and copy it.",
        tone: "critical",
      });
      return;
    }
    setCopied(true);
    window.clearTimeout(timerRef.current);
    timerRef.current = window.setTimeout(() => setCopied(false), CONFIRMATION_MS);
  }

  return (
    <>
      <IconButton
        icon={
          copied ? <Check aria-hidden className="size-3.5 text-positive" /> : <Copy aria-hidden className="size-3.5" />
        }
        label={copied ? "Copied" : label}
        onClick={copy}
        size="sm"
      />
      <span className="sr-only" role="status">
        {copied ? "Copied" : ""}
      </span>
    </>
  );
}
