/** Finds what a statement would ask of every shard of a database that is distributed by reseller. */
import { loadModule, parsePlPgSQLSync, parseSync } from "libpg-query";

export interface Distribution {
  /** The column that names the reseller, of each table that has one. */
  readonly resellerColumns: ReadonlyMap<string, string>;
  /** Tables whose rows are on their reseller's shard. */
  readonly owned: ReadonlySet<string>;
  /** Functions that use those tables, with the argument that names the reseller: its place, or `row` of such a table. */
  readonly functions: ReadonlyMap<string, number | "row" | null>;
}

type FieldName =
  | ("alias" | "aliasname" | "arg" | "args" | "boolop" | "cols" | "ctename" | "ctequery" | "ctes" | "exprs" | "fields")
  | ("fromClause" | "funcname" | "items" | "kind" | "larg" | "lexpr" | "name" | "onConflictClause" | "quals" | "rarg")
  | ("relation" | "relname" | "returningClause" | "rexpr" | "selectStmt" | "subquery" | "sval" | "targetList" | "val")
  | ("usingClause" | "valuesLists" | "whereClause" | "withClause");
/** A node of PostgreSQL's syntax tree, or its body. */
type Fields = Readonly<Partial<Record<FieldName, unknown>>>;

/** The reseller that a source or a result names. Equal ones have the same root. */
interface Cell {
  parent: Cell | null;
}
interface Output {
  /** `*`: all columns of a source. */
  readonly name: string;
  readonly cell: Cell | null;
}
interface Source {
  readonly alias: string;
  readonly column: string;
  readonly cell: Cell | null;
}

const newCell = (): Cell => ({ parent: null });
const rootOf = (cell: Cell): Cell => (cell.parent ? rootOf(cell.parent) : cell);

function unite(one: Cell | null, other: Cell | null): void {
  if (one && other && rootOf(one) !== rootOf(other)) rootOf(one).parent = rootOf(other);
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What is inside of nested nodes, by their names. */
function inside(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((inner: unknown, key) => (isFields(inner) ? inner[key as FieldName] : undefined), value);
}

function contains(types: readonly string[], value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => contains(types, item));
  return isFields(value) && Object.entries(value).some(([key, child]) => types.includes(key) || contains(types, child));
}

const namesOf = (nodes: unknown): readonly string[] =>
  listOf(nodes).map((node) => String(inside(node, "String", "sval") ?? "*"));

const resellerOf = (outputs: readonly Output[]): Cell | null =>
  outputs.find(({ name, cell }) => cell && (name === "reseller_id" || name === "*"))?.cell ?? null;

class Analysis {
  /** What a parameter, a constant or a function's variable gives. */
  private readonly known = newCell();
  private readonly used: { readonly name: string; readonly cell: Cell | null }[] = [];
  private readonly unions: { readonly output: Cell; readonly arms: readonly (Cell | null)[] }[] = [];
  private readonly commonTables = new Map<string, Cell>();
  private readonly distribution: Distribution;
  private readonly hasVariables: boolean;

  constructor(distribution: Distribution, hasVariables: boolean) {
    this.distribution = distribution;
    this.hasVariables = hasVariables;
  }

  unrouted(): readonly string[] {
    const isKnown = (cell: Cell | null): boolean => cell !== null && rootOf(cell) === rootOf(this.known);
    // A condition on a union applies to each of its arms.
    for (const { output, arms } of this.unions.toReversed()) {
      if (isKnown(output)) for (const arm of arms) unite(arm, output);
    }
    return [...new Set(this.used.filter(({ cell }) => !isKnown(cell)).map(({ name }) => name))].toSorted();
  }

  statement(node: unknown, outer: readonly Source[]): readonly Output[] {
    const [[kind, body] = ["", {}]] = Object.entries(isFields(node) ? node : {});
    if (!isFields(body)) return [];
    for (const item of listOf(inside(body, "withClause", "ctes"))) {
      const cell = newCell();
      this.commonTables.set(String(inside(item, "CommonTableExpr", "ctename")), cell);
      unite(cell, resellerOf(this.statement(inside(item, "CommonTableExpr", "ctequery"), outer)));
    }
    if (kind === "InsertStmt") return this.insert(body, outer);
    return kind === "SelectStmt" ? this.select(body, outer) : this.change(body, outer);
  }

  private select(body: Fields, outer: readonly Source[]): readonly Output[] {
    if (body.larg) {
      const [left = [], right = []] = [body.larg, body.rarg].map((arm) => this.statement({ SelectStmt: arm }, outer));
      return left.map(({ name, cell }, index) => {
        const arms = [cell, right[index]?.cell ?? null];
        const output = newCell();
        if (arms.every((arm) => arm && rootOf(arm) === rootOf(this.known))) unite(output, this.known);
        this.unions.push({ output, arms });
        return { name, cell: output };
      });
    }
    const sources = [...this.sources(body.fromClause, outer), ...outer];
    this.clauses(body, sources);
    return this.outputs(body.targetList, sources);
  }

  private change(body: Fields, outer: readonly Source[]): readonly Output[] {
    const target = this.table(body.relation);
    const sources = [target, ...this.sources(body.fromClause ?? body.usingClause, [target, ...outer]), ...outer];
    this.clauses(body, sources);
    return this.outputs(inside(body, "returningClause", "exprs"), sources);
  }

  private insert(body: Fields, outer: readonly Source[]): readonly Output[] {
    const target = this.table(body.relation);
    const place = listOf(body.cols).findIndex((item) => inside(item, "ResTarget", "name") === target.column);
    const rows = listOf(inside(body, "selectStmt", "SelectStmt", "valuesLists"));
    const given = rows.map((row) => this.cellOf(listOf(inside(row, "List", "items"))[place], outer));
    if (rows.length === 0) given.push(this.statement(body.selectStmt, outer)[place]?.cell ?? null);
    if (given.every(Boolean)) for (const cell of given) unite(target.cell, cell);
    this.expressions([rows, body.onConflictClause], [target, ...outer]);
    return this.outputs(inside(body, "returningClause", "exprs"), [target, ...outer]);
  }

  /** Everything but the sources. */
  private clauses(body: Fields, sources: readonly Source[]): void {
    const { fromClause: _from, usingClause: _using, withClause: _with, relation: _relation, ...rest } = body;
    this.equalities(body.whereClause, sources);
    this.expressions(rest, sources);
  }

  private table(range: unknown): Source {
    const name = String(inside(range, "relname"));
    const alias = String(inside(range, "alias", "aliasname") ?? name);
    const common = this.commonTables.get(name);
    if (common) return { alias, column: "reseller_id", cell: common };
    const column = this.distribution.resellerColumns.get(name);
    const cell = column === undefined ? null : newCell();
    if (this.distribution.owned.has(name)) this.used.push({ name, cell });
    return { alias, column: column ?? "", cell };
  }

  private sources(from: unknown, outer: readonly Source[]): readonly Source[] {
    const found: Source[] = [];
    for (const item of listOf(from)) {
      const [[kind, body] = ["", {}]] = Object.entries(isFields(item) ? item : {});
      if (!isFields(body)) continue;
      if (kind === "RangeVar") found.push(this.table(body));
      else if (kind === "JoinExpr") {
        for (const side of [body.larg, body.rarg]) found.push(...this.sources([side], [...found, ...outer]));
        this.equalities(body.quals, [...found, ...outer]);
        this.expressions(body.quals, [...found, ...outer]);
      } else {
        const alias = String(inside(body, "alias", "aliasname"));
        const cell = resellerOf(this.statement(body.subquery, [...found, ...outer]));
        if (!body.subquery) this.expressions(body, [...found, ...outer]);
        found.push({ alias, column: "reseller_id", cell });
      }
    }
    return found;
  }

  private equalities(condition: unknown, sources: readonly Source[]): void {
    if (inside(condition, "BoolExpr", "boolop") === "AND_EXPR")
      for (const item of listOf(inside(condition, "BoolExpr", "args"))) this.equalities(item, sources);
    const one = inside(condition, "A_Expr");
    if (isFields(one) && one.kind === "AEXPR_OP" && namesOf(one.name)[0] === "=")
      unite(this.cellOf(one.lexpr, sources), this.cellOf(one.rexpr, sources));
  }

  private expressions(value: unknown, sources: readonly Source[]): void {
    if (Array.isArray(value)) for (const item of value) this.expressions(item, sources);
    if (!isFields(value)) return;
    for (const [key, child] of Object.entries(value)) {
      if (key === "subselect") this.statement(child, sources);
      else this.expressions(child, sources);
    }
    const name = namesOf(inside(value, "FuncCall", "funcname")).at(-1) ?? "";
    const place = this.distribution.functions.get(name);
    if (place === undefined) return;
    // Only another function has a row to pass.
    if (place === "row" && this.hasVariables) return;
    const argument = typeof place !== "number" ? undefined : listOf(inside(value, "FuncCall", "args"))[place];
    this.used.push({ name: `${name}()`, cell: this.cellOf(argument, sources) });
  }

  private cellOf(expression: unknown, sources: readonly Source[]): Cell | null {
    if (expression === undefined) return null;
    const cast = inside(expression, "TypeCast", "arg");
    if (cast) return this.cellOf(cast, sources);
    const names = namesOf(inside(expression, "ColumnRef", "fields"));
    const column = names.at(-1);
    if (column === undefined) return contains(["ColumnRef", "SubLink"], expression) ? null : this.known;
    const alias = names.length > 1 ? names[0] : null;
    const isVariable = alias === null ? column.startsWith("p_") : !sources.some((one) => one.alias === alias);
    if (this.hasVariables && isVariable) return this.known;
    return sources.find((one) => one.cell && one.column === column && (alias ?? one.alias) === one.alias)?.cell ?? null;
  }

  private outputs(targets: unknown, sources: readonly Source[]): readonly Output[] {
    return listOf(targets).map((target) => {
      const value = inside(target, "ResTarget", "val");
      const names = namesOf(inside(value, "ColumnRef", "fields"));
      const name = inside(target, "ResTarget", "name") ?? names.at(-1) ?? "";
      if (name !== "*") return { name: String(name), cell: this.cellOf(value, sources) };
      const source = sources.find((one) => one.cell && (names.length === 1 || one.alias === names[0]));
      return { name: "*", cell: source?.column === "reseller_id" ? source.cell : null };
    });
  }
}

await loadModule();

function analyze(text: string, distribution: Distribution, hasVariables: boolean): readonly string[] {
  const analysis = new Analysis(distribution, hasVariables);
  for (const { stmt } of parseSync(text).stmts ?? []) analysis.statement(stmt, []);
  return analysis.unrouted();
}

/** Tables and functions in a statement whose reseller it does not name. Empty: one shard has all that it needs. */
export function findUnrouted(text: string, distribution: Distribution): readonly string[] {
  return analyze(text, distribution, false);
}

/** The same for the statements of a function in PL/pgSQL, whose variables name its reseller. */
export function findUnroutedInFunction(definition: string, distribution: Distribution): readonly string[] {
  const queries = [...JSON.stringify(parsePlPgSQLSync(definition)).matchAll(/"query":("(?:[^"\\]|\\.)*")/g)];
  const texts = queries.map(([, query = '""']) => JSON.parse(query) as string);
  const statements = texts.map((text) =>
    /^\s*(?:select|with|insert|update|delete)\b/i.test(text) ? text : `select ${text}`,
  );
  return [
    ...new Set(
      statements.flatMap((text) =>
        analyze(text.replace(/^select \w+(?:\.\w+|\[\w+\])* := /, "select "), distribution, true),
      ),
    ),
  ];
}
