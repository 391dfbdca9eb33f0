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
    require __DIR__ . '/capsule.php';

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
        $outcome = panelRun($function, $fields['serviceid'], array_intersect_key($fields, ['suspendreason' => '']));
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
    function panelRun(string $function, int $serviceId, array $params = []): mixed
    {
        require_once __DIR__ . '/modules/servers/licensedesk/licensedesk.php';
        $outcome = "licensedesk_$function"($params + panelParameters($serviceId));
        $statuses = ['CreateAccount' => 'Active', 'SuspendAccount' => 'Suspended', 'UnsuspendAccount' => 'Active',
            'TerminateAccount' => 'Terminated'];
        if ($outcome === 'success' && isset($statuses[$function])) {
            WHMCS\Database\Capsule::table('tblhosting')->where('id', $serviceId)->update(['domainstatus' => $statuses[$function]]);
        }
        return $outcome;
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

        /** @param array<string, string> $values of custom fields, too */
        public function save(array $values): void
        {
            panelDatabase(function (array &$tables) use ($values): void {
                $tables['properties'][$this->serviceId] = $values + ($tables['properties'][$this->serviceId] ?? []);
                $params = json_decode($tables['tblhosting']['rows'][0]['params'], true);
                $fields = $params['customfields'] ?? [];
                $params['customfields'] = array_intersect_key($values, $fields) + $fields;
                $tables['tblhosting']['rows'][0]['params'] = json_encode($params);
            });
        }
    }
}
