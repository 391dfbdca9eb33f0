/** Which parts of a statement name the same reseller, and for which of them the statement says which one. */

/** A query whose conditions leave the rows around it: a subquery in an expression, or what is joined to the left. */
interface Block {
  readonly outer: Block | null;
}
/** The reseller that a source or a result names. */
export interface Cell {
  readonly block: Block;
}

const isWithin = (block: Block, outer: Block): boolean =>
  block === outer || (block.outer !== null && isWithin(block.outer, outer));

export class Cells {
  private block: Block = { outer: null };
  private readonly equal: { readonly cells: readonly [Cell, Cell]; readonly block: Block }[] = [];
  private readonly unions: { readonly output: Cell; readonly arms: readonly (Cell | null)[] }[] = [];
  /** What a parameter, a constant or a function's variable gives. */
  readonly known = this.add();

  add(): Cell {
    return { block: this.block };
  }

  addUnion(arms: readonly (Cell | null)[]): Cell {
    const output = this.add();
    this.unions.push({ output, arms });
    return output;
  }

  unite(one: Cell | null, other: Cell | null): void {
    if (one && other) this.equal.push({ cells: [one, other], block: this.block });
  }

  inBlock(read: () => void): void {
    const outer = this.block;
    this.block = { outer };
    read();
    this.block = outer;
  }

  /** All that name a known reseller. A condition does not reach the rows around its block. */
  findKnown(): ReadonlySet<Cell | null> {
    const known = new Set<Cell | null>([this.known]);
    for (let size = 0; size !== known.size; ) {
      size = known.size;
      for (const { cells, block } of this.equal) {
        if (cells.some((cell) => known.has(cell)))
          for (const cell of cells) if (isWithin(cell.block, block)) known.add(cell);
      }
      for (const { output, arms } of this.unions) {
        if (arms.every((arm) => known.has(arm))) known.add(output);
        // A condition on a union applies to each of its arms.
        if (known.has(output)) for (const arm of arms) if (arm) known.add(arm);
      }
    }
    return known;
  }
}
