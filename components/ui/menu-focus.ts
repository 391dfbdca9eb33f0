function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]:not([aria-disabled="true"])')];
}

/** Moves the focus inside a menu; the ends are joined. */
export function focusItem(menu: HTMLElement, where: "first" | "last" | "next" | "previous"): void {
  const items = itemsOf(menu);
  const current = items.indexOf(document.activeElement as HTMLElement);
  const index = {
    first: 0,
    last: items.length - 1,
    next: current + 1 >= items.length ? 0 : current + 1,
    previous: current <= 0 ? items.length - 1 : current - 1,
  }[where];
  items[index]?.focus();
}

/** The next item, after the focused one, whose text begins with `letter`. */
export function focusItemByText(menu: HTMLElement, letter: string): void {
  const items = itemsOf(menu);
  const after = items.indexOf(document.activeElement as HTMLElement) + 1;
  const rotated = [...items.slice(after), ...items.slice(0, after)];
  rotated.find((item) => item.textContent.trim().toLowerCase().startsWith(letter.toLowerCase()))?.focus();
}
