"use client";
import { Check, Copy } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { IconButton } from "./icon-button.tsx";
import { toast } from "./toast-store.ts";

const CONFIRMATION_MS = 1_600;

export interface CopyButtonProps {
  readonly value: string;
  /** Says what is copied, e.g. "Copy license key". */
  readonly label: string;
  /** In words, not only as an icon; the primary one steps back once it has been pressed. */
  readonly variant?: "primary" | "secondary";
}

export function CopyButton({ value, label, variant }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const [everCopied, setEverCopied] = useState(false);
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
    setEverCopied(true);
    window.clearTimeout(timerRef.current);
    timerRef.current = window.setTimeout(() => setCopied(false), CONFIRMATION_MS);
  }

  const icon = copied ? <Check className="text-positive" /> : <Copy />;
  const props = { icon, onClick: copy };
  return (
    <>
      {variant === undefined ? (
        <IconButton {...props} label={copied ? "Copied" : label} />
      ) : (
        <Button
          {...props}
          aria-label={copied ? "Copied" : label}
          size="sm"
          variant={everCopied ? "secondary" : variant}
        >
          {copied ? "Copied" : "Copy"}
        </Button>
      )}
      <span className="sr-only" role="status">
        {copied ? "Copied" : ""}
      </span>
    </>
  );
}
