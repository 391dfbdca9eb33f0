import type { QrCode } from "#lib/domain/qr-code.ts";

/** Dark on white in every color scheme, as scanners need. */
export function QrCodeImage({ code: { size, path }, label }: { readonly code: QrCode; readonly label: string }) {
  return (
    <svg
      aria-label={label}
      className="size-44 rounded-md"
      role="img"
      shapeRendering="crispEdges"
      viewBox={`0 0 ${size} ${size}`}
    >
      <path d={`M0 0h${size}v${size}h-${size}z`} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
