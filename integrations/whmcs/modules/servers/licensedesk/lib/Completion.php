<?php

declare(strict_types=1);

namespace WHMCS\Module\Server\Licensedesk;

use LicenseDesk\Panel\Failure;
use LicenseDesk\Panel\Suspension;
use WHMCS\Database\Capsule;

/**
 * Completes pending changes once their outcome is known, by the command that requested them. If the service was paid
 * meanwhile, it is renewed then, again until that succeeds; a suspension for non-payment is not repeated.
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
    private const ENDED = ['Terminated', 'Cancelled', 'Fraud'];

    public static function all(): void
    {
        $outages = [];
        foreach (Store::pending() as $row) {
            $serverId = (int) Capsule::table('tblhosting')->where('id', $row->service_id)->value('server');
            if (isset($outages[$serverId])) {
                continue;
            }
            try {
                self::one($row);
            } catch (\Exception $failure) {
                logActivity("License Desk: service $row->service_id: " . $failure->getMessage());
                // Cron would wait as long for each further service of this server.
                if (Failure::isOutage($failure)) {
                    $outages[$serverId] = true;
                }
            }
        }
    }

    public static function one(object $row): void
    {
        $service = Capsule::table('tblhosting')->where('id', $row->service_id)->first();
        $server = Server::find((int) $service?->server);
        if ($server === null || ($row->operation_id !== null && Server::desk($server)->isPending($row->operation_id))) {
            return;
        }
        $isPaid = $row->due_term === (string) $service->nextduedate && !in_array($service->domainstatus, self::ENDED, true);
        if ($row->operation_id === null && !($isPaid && Server::desk($server)->isAnswering())) {
            return;
        }
        $action = self::API_ACTIONS[(string) $row->command] ?? null;
        $isSuspension = $action === 'ModuleSuspend';
        if ($action !== null && !($isPaid && $isSuspension && Suspension::isForNonPayment($row->suspend_reason))) {
            $reason = $isSuspension ? ['suspendreason' => $row->suspend_reason] : [];
            self::run($action, $row, $reason);
        }
        // The panel or the command may refuse before it comes to the change.
        $isLeft = $row->operation_id !== null && Store::findByOperation($row->operation_id) !== null;
        if ($action === null || ($isPaid && $action !== 'ModuleTerminate') || $isLeft) {
            self::run('ModuleCustom', $row, ['func_name' => 'completePending']);
        }
    }

    /** The module log may be switched off, and nobody sees what cron runs. */
    private static function run(string $action, object $row, array $fields): void
    {
        $answer = localAPI($action, ['serviceid' => $row->service_id] + $fields);
        if ($answer['result'] !== 'success') {
            logActivity("License Desk: service $row->service_id: " . ($answer['message'] ?? "$action failed"));
        }
    }
}
