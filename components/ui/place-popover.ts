type PopoverSide = "top" | "bottom";
type PopoverAlign = "start" | "center" | "end";

const EDGE_PX = 8;
const GAP_PX = 6;

/**
 * Puts a shown popover beside its anchor, in viewport pixels: on the side asked for if it fits there, else on the
 * other, and never over the viewport's edge.
 */
export function placePopover(popover: HTMLElement, anchor: Element, side: PopoverSide, align: PopoverAlign): void {
  const target = anchor.getBoundingClientRect();
  const width = popover.offsetWidth;
  const height = popover.offsetHeight;
  const { clientWidth } = document.documentElement;
  const clientHeight = visibleHeight();

  const above = target.top - GAP_PX - height;
  const below = target.bottom + GAP_PX;
  const fitsAbove = above >= EDGE_PX;
  const fitsBelow = below + height <= clientHeight - EDGE_PX;
  const goesAbove = side === "top" ? fitsAbove || !fitsBelow : !fitsBelow && fitsAbove;

  const left = {
    start: target.left,
    center: target.left + (target.width - width) / 2,
    end: target.right - width,
  }[align];

  popover.style.top = `${clamp(goesAbove ? above : below, EDGE_PX, clientHeight - height - EDGE_PX)}px`;
  popover.style.left = `${clamp(left, EDGE_PX, clientWidth - width - EDGE_PX)}px`;
}

/** The most that fits above or below an anchor without covering it. */
export function roomBeside(anchor: Element): number {
  const { top, bottom } = anchor.getBoundingClientRect();
  return Math.max(top, visibleHeight() - bottom) - GAP_PX - EDGE_PX;
}

/** Down to the keyboard on the screen, or the bar at its bottom, if there is one. */
function visibleHeight(): number {
  const { clientHeight } = document.documentElement;
  const { visualViewport } = window;
  const barHeight = document.querySelector<HTMLElement>("[data-bottom-bar]")?.offsetHeight ?? 0;
  const open = clientHeight - barHeight;
  return visualViewport ? Math.min(open, visualViewport.offsetTop + visualViewport.height) : open;
}

/** The lower bound wins when the bounds cross: what begins in view can be scrolled to its end. */
function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}
