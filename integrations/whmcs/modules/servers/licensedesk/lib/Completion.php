<?php

declare(strict_types=1);

namespace WHMCS\Module\Server\Licensedesk;

use WHMCS\Database\Capsule;

/** Completes pending changes once their outcome is known, by the command that requested them. */
final class Completion
{
    private const API_ACTIONS = [
        'CreateAccount' => 'ModuleCreate',
        'SuspendAccount' => 'ModuleSuspend',
        'UnsuspendAccount' => 'ModuleUnsuspend',
        'TerminateAccount' => 'ModuleTerminate',
        'ChangePackage' => 'ModuleChangePackage',
    ];

    public static function all(): void
    {
        foreach (Store::pending() as $row) {
            try {
                self::one($row);
            } catch (\Exception $failure) {
                logActivity("License Desk: service $row->service_id: " . $failure->getMessage());
            }
        }
    }

    public static function one(object $row): void
    {
        $serverId = Capsule::table('tblhosting')->where('id', $row->service_id)->value('server');
        $server = Server::find((int) $serverId);
        if ($server === null || Server::desk($server)->isPending($row->operation_id)) {
            return;
        }
        $action = self::API_ACTIONS[$row->command] ?? 'ModuleCustom';
        localAPI($action, ['serviceid' => $row->service_id, 'func_name' => 'completePending']);
    }
}
