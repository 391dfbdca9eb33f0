<?php

declare(strict_types=1);

namespace WHMCS\Module\Server\Licensedesk;

use WHMCS\Database\Capsule;

/**
 * Completes pending changes once their outcome is known, by the command that requested them. One that was paid for
 * meanwhile is completed without repeating its command, which may have been a suspension, and then the renewal is made.
 */
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
        $service = Capsule::table('tblhosting')->where('id', $row->service_id)->first();
        $server = Server::find((int) $service?->server);
        if ($server === null || Server::desk($server)->isPending($row->operation_id)) {
            return;
        }
        $isPaid = $row->due_term === (string) $service->nextduedate && $row->command !== 'TerminateAccount';
        $action = $isPaid ? 'ModuleCustom' : self::API_ACTIONS[$row->command] ?? 'ModuleCustom';
        localAPI($action, ['serviceid' => $row->service_id, 'func_name' => 'completePending']);
    }
}
