/** WAL segments: files of 16 MiB, each with a range of the write-ahead log. */

/** Of a cluster that initdb made by default. */
export const SEGMENT_BYTES = 16n * 1024n * 1024n;
const SEGMENTS_PER_FILE_ID = 0x1_0000_0000n / SEGMENT_BYTES;
const NAME = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})$/;

/** A position in the log, such as `0/3000060`. */
export type Lsn = bigint;

export function parseLsn(text: string): Lsn {
  const [high = "", low = ""] = text.split("/");
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

export function formatLsn(lsn: Lsn): string {
  return `${(lsn >> 32n).toString(16)}/${(lsn & 0xffff_ffffn).toString(16)}`.toUpperCase();
}

const hex = (number: bigint) => number.toString(16).toUpperCase().padStart(8, "0");

/** The file with the byte at a position. */
export function segmentName(timeline: string, lsn: Lsn): string {
  const number = lsn / SEGMENT_BYTES;
  return `${timeline}${hex(number / SEGMENTS_PER_FILE_ID)}${hex(number % SEGMENTS_PER_FILE_ID)}`;
}

/** Null: the name of something else. */
export function parseSegment(name: string): { readonly timeline: string; readonly start: Lsn } | null {
  const [, timeline, file, segment] = NAME.exec(name) ?? [];
  if (timeline === undefined) return null;
  return { timeline, start: (BigInt(`0x${file}`) * SEGMENTS_PER_FILE_ID + BigInt(`0x${segment}`)) * SEGMENT_BYTES };
}
