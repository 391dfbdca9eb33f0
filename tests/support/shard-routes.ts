/** Finds what a statement would ask of every shard of a database that is distributed by reseller. */
import { loadModule, parsePlPgSQLSync, parseSync } from "libpg-query";
import { type Cell, Cells } from "./shard-cells.ts";

export interface Distribution {
  /** The column that names the reseller, of each table that has one. */
  readonly resellerColumns: ReadonlyMap<string, string>;
  /** Tables of which a statement on one shard has one reseller's rows. */
  readonly routed: ReadonlySet<string>;
  /** Functions that use those tables, with the argument that names the reseller: its place, or `row` of such a table. */
  readonly functions: ReadonlyMap<string, number | "row" | null>;
}

type FieldName =
  | ("alias" | "aliasname" | "arg" | "args" | "boolop" | "cols" | "ctename" | "ctequery" | "ctes" | "exprs" | "fields")
  | ("fromClause" | "funcname" | "items" | "jointype" | "kind" | "larg" | "lexpr" | "name" | "onConflictClause")
  | ("quals" | "rarg" | "recursive" | "relation" | "relname" | "returningClause" | "rexpr" | "selectStmt" | "subquery")
  | ("sval" | "targetList" | "usingClause" | "val" | "valuesLists" | "whereClause" | "withClause");
/** A node of PostgreSQL's syntax tree, or its body. */
type Fields = Readonly<Partial<Record<FieldName, unknown>>>;

interface Output {
  readonly name: string;
  readonly cell: Cell | null;
}
interface Source {
  readonly alias: string;
  /** Those that name a reseller. */
  readonly columns: ReadonlyMap<string, Cell>;
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

const columnsOf = (outputs: readonly Output[]): ReadonlyMap<string, Cell> =>
  new Map(outputs.toReversed().flatMap(({ name, cell }) => (cell ? [[name, cell]] : [])));

class Analysis {
  private readonly cells = new Cells();
  private readonly used: { readonly name: string; readonly cell: Cell | null }[] = [];
  private readonly commonTables = new Map<string, Source["columns"]>();
  private readonly distribution: Distribution;
  private readonly hasVariables: boolean;

  constructor(distribution: Distribution, hasVariables: boolean) {
    this.distribution = distribution;
    this.hasVariables = hasVariables;
  }

  unrouted(): readonly string[] {
    const known = this.cells.findKnown();
    return [...new Set(this.used.filter(({ cell }) => !known.has(cell)).map(({ name }) => name))].toSorted();
  }

  statement(node: unknown, outer: readonly Source[]): readonly Output[] {
    const [[kind, body] = ["", {}]] = Object.entries(isFields(node) ? node : {});
    if (!isFields(body)) return [];
    for (const item of listOf(inside(body, "withClause", "ctes"))) {
      const name = String(inside(item, "CommonTableExpr", "ctename"));
      const seenByItself = new Map([["reseller_id", this.cells.add()]]);
      // Only a recursive one: otherwise its name is a table's there.
      if (inside(body, "withClause", "recursive")) this.commonTables.set(name, seenByItself);
      const columns = columnsOf(this.statement(inside(item, "CommonTableExpr", "ctequery"), outer));
      for (const [column, cell] of seenByItself) this.cells.unite(cell, columns.get(column) ?? null);
      this.commonTables.set(name, columns);
    }
    if (kind === "InsertStmt") return this.insert(body, outer);
    return kind === "SelectStmt" ? this.select(body, outer) : this.change(body, outer);
  }

  private select(body: Fields, outer: readonly Source[]): readonly Output[] {
    if (body.larg) {
      const [left = [], right = []] = [body.larg, body.rarg].map((arm) => this.statement({ SelectStmt: arm }, outer));
      return left.map(({ name, cell }, index) => {
        const other = right.find((one) => one.name === name) ?? right[index];
        return { name, cell: this.cells.addUnion([cell, other?.cell ?? null]) };
      });
    }
    const own = this.sources(body.fromClause, outer);
    this.clauses(body, [...own, ...outer]);
    return this.outputs(body.targetList, own, outer);
  }

  private change(body: Fields, outer: readonly Source[]): readonly Output[] {
    const target = this.table(body.relation);
    const own = [target, ...this.sources(body.fromClause ?? body.usingClause, [target, ...outer])];
    this.clauses(body, [...own, ...outer]);
    return this.outputs(inside(body, "returningClause", "exprs"), own, outer);
  }

  private insert(body: Fields, outer: readonly Source[]): readonly Output[] {
    const target = this.table(body.relation);
    const [[column, own] = [null, null]] = target.columns;
    const place = listOf(body.cols).findIndex((item) => inside(item, "ResTarget", "name") === column);
    const rows = listOf(inside(body, "selectStmt", "SelectStmt", "valuesLists"));
    const given = rows.map((row) => this.cellOf(listOf(inside(row, "List", "items"))[place], outer));
    if (rows.length === 0) given.push(this.statement(body.selectStmt, outer)[place]?.cell ?? null);
    if (given.every(Boolean)) for (const cell of given) this.cells.unite(own, cell);
    this.expressions([rows, body.onConflictClause], [target, ...outer]);
    return this.outputs(inside(body, "returningClause", "exprs"), [target], outer);
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
    if (common) return { alias, columns: common };
    const column = this.distribution.resellerColumns.get(name);
    const cell = column === undefined ? null : this.cells.add();
    if (this.distribution.routed.has(name)) this.used.push({ name, cell });
    return { alias, columns: columnsOf([{ name: column ?? "", cell }]) };
  }

  private sources(from: unknown, outer: readonly Source[]): readonly Source[] {
    const found: Source[] = [];
    for (const item of listOf(from)) {
      const [[kind, body] = ["", {}]] = Object.entries(isFields(item) ? item : {});
      if (!isFields(body)) continue;
      if (kind === "RangeVar") found.push(this.table(body));
      else if (kind === "JoinExpr") {
        found.push(...this.sources([body.larg], [...found, ...outer]));
        const join = () => {
          found.push(...this.sources([body.rarg], [...found, ...outer]));
          this.equalities(body.quals, [...found, ...outer]);
          this.expressions(body.quals, [...found, ...outer]);
        };
        if (body.jointype === "JOIN_INNER") join();
        else this.cells.inBlock(join);
      } else {
        const alias = String(inside(body, "alias", "aliasname"));
        const columns = columnsOf(this.statement(body.subquery, [...found, ...outer]));
        if (!body.subquery) this.expressions(body, [...found, ...outer]);
        found.push({ alias, columns });
      }
    }
    return found;
  }

  private equalities(condition: unknown, sources: readonly Source[]): void {
    if (inside(condition, "BoolExpr", "boolop") === "AND_EXPR")
      for (const item of listOf(inside(condition, "BoolExpr", "args"))) this.equalities(item, sources);
    const one = inside(condition, "A_Expr");
    if (isFields(one) && one.kind === "AEXPR_OP" && namesOf(one.name)[0] === "=")
      this.cells.unite(this.cellOf(one.lexpr, sources), this.cellOf(one.rexpr, sources));
  }

  private expressions(value: unknown, sources: readonly Source[]): void {
    if (Array.isArray(value)) for (const item of value) this.expressions(item, sources);
    if (!isFields(value)) return;
    for (const [key, child] of Object.entries(value)) {
      if (key === "subselect") this.cells.inBlock(() => this.statement(child, sources));
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
    if (column === undefined) return contains(["ColumnRef", "SubLink"], expression) ? null : this.cells.known;
    const alias = names.length > 1 ? names[0] : null;
    const isVariable = alias === null ? column.startsWith("p_") : !sources.some((one) => one.alias === alias);
    if (this.hasVariables && isVariable) return this.cells.known;
    const source = sources.find((one) => one.columns.has(column) && (alias ?? one.alias) === one.alias);
    return source?.columns.get(column) ?? null;
  }

  private outputs(targets: unknown, own: readonly Source[], outer: readonly Source[]): readonly Output[] {
    return listOf(targets).flatMap((target): readonly Output[] => {
      const value = inside(target, "ResTarget", "val");
      const names = namesOf(inside(value, "ColumnRef", "fields"));
      const name = inside(target, "ResTarget", "name") ?? names.at(-1) ?? "";
      if (name !== "*") return [{ name: String(name), cell: this.cellOf(value, [...own, ...outer]) }];
      const meant = own.filter(({ alias }) => names.length === 1 || alias === names[0]);
      return meant.flatMap(({ columns }) => [...columns].map(([column, cell]) => ({ name: column, cell })));
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
