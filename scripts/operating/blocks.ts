/** What the blocks of commands in docs/operating.md are for, from the word after `sh`. */
const kinds = ["laptop", "server", "systemd", "instance"] as const;

export interface Block {
  readonly kind: (typeof kinds)[number];
  readonly text: string;
}

/** @throws if a block has no known kind */
export function listBlocks(page: string): readonly Block[] {
  const blocks = [...page.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].filter(([, mark]) => mark !== "ini");
  return blocks.map(([, mark = "", text = ""]) => {
    const kind = kinds.find((each) => mark === `sh ${each}`);
    if (kind === undefined) throw new Error(`A block is marked "${mark}", not sh and one of ${kinds.join(", ")}.`);
    return { kind, text: text.trimEnd() };
  });
}
