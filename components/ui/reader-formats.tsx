"use client";
import type { ReactNode } from "react";
import { type FormatLocale, setFormatLocale } from "#lib/domain/format-locale.ts";

export interface ReaderFormatsProps {
  /** The formats that the server has used for this page. */
  readonly locale: FormatLocale;
  readonly children: ReactNode;
}

/** The browser writes numbers and dates as the server does, from the first rendering on. */
export function ReaderFormats({ locale, children }: ReaderFormatsProps) {
  if (typeof window !== "undefined") setFormatLocale(locale);
  return children;
}
