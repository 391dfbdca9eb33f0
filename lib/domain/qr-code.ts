import encodeQR from "qr";

/** Around the code, in modules, as scanners need. */
const BORDER = 4;

export interface QrCode {
  /** Modules on each side, with the border. */
  readonly size: number;
  /** SVG path data of the dark modules. */
  readonly path: string;
}

export function drawQrCode(text: string): QrCode {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: BORDER });
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size: rows.length, path: dark.join("") };
}
