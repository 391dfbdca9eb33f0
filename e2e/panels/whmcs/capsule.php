<?php

/** As much of WHMCS's query builder and schema builder as the modules use, over `panelDatabase`. */

declare(strict_types=1);

namespace WHMCS\Database;

final class Capsule
{
    /** @var list<callable(array): bool> */
    private array $conditions = [];

    private function __construct(private readonly string $table)
    {
    }

    public static function table(string $table): self
    {
        return new self($table);
    }

    public static function schema(): Schema
    {
        return new Schema();
    }

    public function where(string $column, mixed $value): self
    {
        $this->conditions[] = static fn (array $row): bool => $row[$column] == $value && $row[$column] !== null;
        return $this;
    }

    public function whereNotNull(string $column): self
    {
        $this->conditions[] = static fn (array $row): bool => $row[$column] !== null;
        return $this;
    }

    public function orWhereNotNull(string $column): self
    {
        $before = $this->conditions;
        $this->conditions = [static fn (array $row): bool => $row[$column] !== null
            || array_filter($before, static fn (callable $holds): bool => !$holds($row)) === []];
        return $this;
    }

    /** @return list<object> */
    public function get(): array
    {
        $rows = panelDatabase(fn (array &$tables): array => array_filter($tables[$this->table]['rows'], $this->matches(...)));
        return array_map(static fn (array $row): object => (object) $row, array_values($rows));
    }

    public function first(): ?object
    {
        return $this->get()[0] ?? null;
    }

    public function value(string $column): mixed
    {
        return $this->first()?->$column;
    }

    public function update(array $changes): int
    {
        return panelDatabase(function (array &$tables) use ($changes): int {
            $count = 0;
            foreach ($tables[$this->table]['rows'] as &$row) {
                if ($this->matches($row)) {
                    $this->requireColumns($tables, $changes);
                    $row = $changes + $row;
                    $count++;
                }
            }
            return $count;
        });
    }

    public function insertOrIgnore(array $values): int
    {
        return panelDatabase(function (array &$tables) use ($values): int {
            $this->requireColumns($tables, $values);
            $primary = $tables[$this->table]['primary'];
            if (in_array($values[$primary], array_column($tables[$this->table]['rows'], $primary), true)) {
                return 0;
            }
            $tables[$this->table]['rows'][] = $values + array_fill_keys($tables[$this->table]['columns'], null);
            return 1;
        });
    }

    private function matches(array $row): bool
    {
        return array_filter($this->conditions, static fn (callable $holds): bool => !$holds($row)) === [];
    }

    private function requireColumns(array $tables, array $values): void
    {
        $unknown = array_diff(array_keys($values), $tables[$this->table]['columns']);
        if ($unknown !== []) {
            throw new \RuntimeException("No column $this->table." . implode(', ', $unknown));
        }
    }
}

final class Schema
{
    public function hasTable(string $table): bool
    {
        return panelDatabase(static fn (array &$tables): bool => isset($tables[$table]));
    }

    public function create(string $table, callable $define): void
    {
        $blueprint = new Blueprint();
        $define($blueprint);
        panelDatabase(static function (array &$tables) use ($table, $blueprint): void {
            if (isset($tables[$table])) {
                throw new \RuntimeException("Table $table exists.");
            }
            $tables[$table] = ['primary' => $blueprint->primary, 'columns' => $blueprint->columns, 'rows' => []];
        });
    }
}

final class Blueprint
{
    public array $columns = [];
    public string $primary = '';

    public function integer(string $name): self
    {
        $this->columns[] = $name;
        return $this;
    }

    public function string(string $name, int $length): self
    {
        return $this->integer($name);
    }

    public function text(string $name): self
    {
        return $this->integer($name);
    }

    public function primary(): self
    {
        $this->primary = end($this->columns);
        return $this;
    }

    public function nullable(): self
    {
        return $this;
    }

    public function index(): self
    {
        return $this;
    }
}
