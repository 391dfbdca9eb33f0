import decodeQR from "qr/decode.js";
import { expect, test } from "vitest";
import { drawQrCode } from "./qr-code.ts";

const SCALE = 8;

/** Draws the path, as a browser does. */
function paint({ size, path }: { readonly size: number; readonly path: string }) {
  const side = size * SCALE;
  const data = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let dy = 0; dy < SCALE; dy++) {
      const from = ((Number(y) * SCALE + dy) * side + Number(x) * SCALE) * 4;
      for (let at = from; at < from + SCALE * 4; at += 4) data.fill(0, at, at + 3);
    }
  }
  return { width: side, height: side, data };
}

test.each(["otpauth://totp/License%20Desk:ada%40example.com?secret=GEZDGNBVGY3TQOJQ&issuer=License%20Desk", "a"])(
  "a phone reads %j from the drawn code",
  (text) => {
    expect(decodeQR(paint(drawQrCode(text)))).toBe(text);
  },
);
