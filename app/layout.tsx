import type { Metadata, Viewport } from "next";
import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { parseTheme, THEME_COOKIE, type Theme } from "#components/shell/theme.ts";
import { EarlyUse } from "#components/ui/early-use.tsx";
import { fontVariables } from "./fonts/fonts.ts";
import "./globals.css";

export const metadata: Metadata = {
  description: "Licenses, bundles and wallet of a reseller, in one place.",
};

/** Next sends the pages of a 403 or 404 without a style, to be rendered by the scripts: until then they are as dark. */
export async function generateViewport(): Promise<Viewport> {
  const theme = await readTheme();
  return {
    width: "device-width",
    initialScale: 1,
    viewportFit: "cover",
    colorScheme: theme === "system" ? "light dark" : theme,
    themeColor: [
      { media: "(prefers-color-scheme: light)", color: "#f9f9fb" },
      { media: "(prefers-color-scheme: dark)", color: "#0d0f12" },
    ],
  };
}

async function readTheme(): Promise<Theme> {
  return parseTheme((await cookies()).get(THEME_COOKIE)?.value);
}

const END_ID = "page-end";

/**
 * The theme is in a cookie, so the first byte has it: no script before the paint, and no flash. The first paint is of
 * the whole page, where browsers know how to wait for its end: nothing moves because something arrives beside it.
 */
export default async function RootLayout({ children }: { readonly children: ReactNode }) {
  const theme = await readTheme();
  return (
    <html className={fontVariables} data-theme={theme === "system" ? undefined : theme} lang="en">
      <head>
        <link blocking="render" href={`#${END_ID}`} rel="expect" />
        <EarlyUse nonce={(await headers()).get("x-nonce") ?? undefined} />
      </head>
      <body>
        {children}
        <i hidden id={END_ID} />
      </body>
    </html>
  );
}
