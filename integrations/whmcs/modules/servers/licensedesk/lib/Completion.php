<?php

declare(strict_types=1);

namespace WHMCS\Module\Server\Licensedesk;

use WHMCS\Database\Capsule;

/**
 * Completes pending changes once their outcome is known, by the command that requested them. If the service was paid
 * meanwhile, it is renewed then; a suspension is not repeated.
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
        $isPaid = $row->due_term === (string) $service->nextduedate && $row->due_term !== $row->renewed_term;
        $action = self::API_ACTIONS[$row->command] ?? null;
        if ($action !== null && !($isPaid && $action === 'ModuleSuspend')) {
            localAPI($action, ['serviceid' => $row->service_id]);
        }
        if ($action === null || ($isPaid && $action !== 'ModuleTerminate')) {
            localAPI('ModuleCustom', ['serviceid' => $row->service_id, 'func_name' => 'completePending']);
        }
    }
}
