<?php

/**
 * As much of WHMCS as the module uses: the functions, classes and tables that developers.whmcs.com documents, over one
 * JSON file.
 */

declare(strict_types=1);

namespace {
    error_reporting(E_ALL);
    set_error_handler(function (int $level, string $message, string $file, int $line): bool {
        // Silenced by @.
        if ((error_reporting() & $level) === 0) {
            return false;
        }
        throw new ErrorException($message, 0, $level, $file, $line);
    });
    define('WHMCS', true);

    /** Reads and changes the database, one process at a time; readers of the file see it before or after a change. */
    function panelDatabase(callable $change): mixed
    {
        $lock = fopen(__DIR__ . '/database.lock', 'c');
        flock($lock, LOCK_EX);
        $before = json_decode(file_get_contents(__DIR__ . '/database.json'), true);
        $tables = $before;
        $result = $change($tables);
        if ($tables !== $before) {
            file_put_contents(__DIR__ . '/database.new', json_encode($tables, JSON_THROW_ON_ERROR));
            rename(__DIR__ . '/database.new', __DIR__ . '/database.json');
        }
        fclose($lock);
        return $result;
    }

    function logModuleCall(string $module, string $action, mixed $request, mixed $response, mixed $data = '', array $masked = []): void
    {
        $entry = str_replace($masked, '****', json_encode([$action, $request, $response, $data], JSON_THROW_ON_ERROR));
        panelDatabase(function (array &$tables) use ($entry): void {
            $tables['log'][] = $entry;
        });
    }

    function logActivity(string $message): void
    {
        logModuleCall('activity', $message, '', '');
    }

    function generate_token(): string
    {
        return '<input type="hidden" name="token" value="genuine">';
    }

    function check_token(string $purpose): void
    {
        if (($_POST['token'] ?? '') !== 'genuine') {
            throw new RuntimeException('Invalid token');
        }
    }

    function add_hook(string $point, int $priority, callable $hook): void
    {
        $GLOBALS['hooks'][$point][] = $hook;
    }

    /** The panel stores passwords encrypted. */
    function localAPI(string $action, array $fields): array
    {
        if ($action === 'DecryptPassword') {
            return ['result' => 'success', 'password' => base64_decode($fields['password2'])];
        }
        $function = $action === 'ModuleCustom' ? $fields['func_name'] : [
            'ModuleCreate' => 'CreateAccount', 'ModuleSuspend' => 'SuspendAccount', 'ModuleUnsuspend' => 'UnsuspendAccount',
            'ModuleTerminate' => 'TerminateAccount', 'ModuleChangePackage' => 'ChangePackage',
        ][$action];
        $outcome = panelRun($function, $fields['serviceid']);
        return $outcome === 'success' ? ['result' => 'success'] : ['result' => 'error', 'message' => $outcome];
    }

    function panelParameters(int $serviceId): array
    {
        $service = WHMCS\Database\Capsule::table('tblhosting')->where('id', $serviceId)->first();
        return panelServer((int) $service->server) + (array) json_decode($service->params, true) + [
            'serviceid' => $serviceId, 'pid' => 1, 'userid' => 1, 'domain' => '', 'moduletype' => 'licensedesk',
            'customfields' => [], 'configoptions' => [], 'suspendreason' => 'Overdue on Payment',
            'model' => new WHMCS\Service\Service($service),
        ];
    }

    function panelServer(int $serverId): array
    {
        $server = WHMCS\Database\Capsule::table('tblservers')->where('id', $serverId)->first();
        return ['server' => true, 'serverid' => $serverId, 'serverip' => $server->ipaddress, 'serverhostname' => $server->hostname,
            'serverusername' => '', 'serverpassword' => base64_decode($server->password), 'serveraccesshash' => $server->accesshash,
            'serversecure' => $server->secure === 'on', 'serverport' => $server->port];
    }

    /** Runs a module function and, if it succeeds, what the panel does next. */
    function panelRun(string $function, int $serviceId): mixed
    {
        require_once __DIR__ . '/modules/servers/licensedesk/licensedesk.php';
        $outcome = "licensedesk_$function"(panelParameters($serviceId));
        $statuses = ['CreateAccount' => 'Active', 'SuspendAccount' => 'Suspended', 'UnsuspendAccount' => 'Active',
            'TerminateAccount' => 'Terminated'];
        if ($outcome === 'success' && isset($statuses[$function])) {
            WHMCS\Database\Capsule::table('tblhosting')->where('id', $serviceId)->update(['domainstatus' => $statuses[$function]]);
        }
        return $outcome;
    }
}

namespace WHMCS\Database {
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
}

namespace WHMCS\Config {
    final class Setting
    {
        public static function getValue(string $name): string
        {
            return ['SystemURL' => 'https://billing.example/'][$name];
        }
    }
}

namespace WHMCS\Service {
    final class Status
    {
        public const ACTIVE = 'Active';
        public const SUSPENDED = 'Suspended';
    }

    final class Service
    {
        public readonly string $billingcycle;
        public readonly Properties $serviceProperties;

        public function __construct(object $row)
        {
            $this->billingcycle = $row->billingcycle;
            $this->serviceProperties = new Properties($row->id);
        }
    }

    final class Properties
    {
        public function __construct(private readonly int $serviceId)
        {
        }

        public function get(string $name): string
        {
            return panelDatabase(fn (array &$tables): string => $tables['properties'][$this->serviceId][$name] ?? '');
        }

        /** @param array<string, string> $values */
        public function save(array $values): void
        {
            panelDatabase(function (array &$tables) use ($values): void {
                $tables['properties'][$this->serviceId] = $values + ($tables['properties'][$this->serviceId] ?? []);
            });
        }
    }
}
