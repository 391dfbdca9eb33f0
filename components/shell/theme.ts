const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** The cookie that the root layout reads, so that the first byte already has the right theme. */
export const THEME_COOKIE = "theme";

export function parseTheme(text: string | undefined): Theme {
  return themes.find((theme) => theme === text) ?? "system";
}
