<?php

declare(strict_types=1);

namespace Box\Mod\Servicelicensedesk;

use LicenseDesk\Panel\Failure;

/** Continues pending commands once their outcome is known, and renewals that are due. Runs in cron and by webhooks. */
final class Completion
{
    /** What continues a pending command, in FOSSBilling's order service. */
    private const ORDER_METHODS = [
        'activate' => 'activateOrder',
        'renew' => 'renewOrder',
        'suspend' => 'suspendFromOrder',
        'unsuspend' => 'unsuspendFromOrder',
        'cancel' => 'cancelFromOrder',
        'uncancel' => 'uncancelFromOrder',
        'delete' => 'deleteFromOrder',
    ];

    private readonly Service $module;
    private readonly object $orders;

    public function __construct(private readonly \Pimple\Container $di)
    {
        $this->module = $di['mod_service']('servicelicensedesk');
        $this->orders = $di['mod_service']('order');
    }

    public function all(): void
    {
        foreach (Store::pending($this->di['dbal']) as $row) {
            if (!$this->one($row)) {
                return;
            }
        }
    }

    /**
     * If the order was paid meanwhile, it is renewed, again until that succeeds, and suspended only if its license is.
     *
     * @param array<string, mixed> $row of `service_licensedesk`; without a command, only a renewal is due
     * @return bool false if License Desk cannot be asked now: cron would wait as long for each further order
     */
    public function one(array $row): bool
    {
        $command = $row['command'];
        try {
            $order = $this->module->findOrder((int) $row['id']);
            $subscription = $this->module->open($order, $command ?? 'renew')->subscription;
            if (!$subscription->isReady()) {
                return true;
            }
            $isPaid = $subscription->isRenewalDue() && in_array($order->status, ['active', 'failed_renew'], true)
                && in_array($command, [null, 'renew', 'suspend', 'move', 'change_ip'], true);
            if ($isPaid) {
                $this->renewPaid($order);
            } elseif ($command !== null) {
                $this->continueCommand($command, $order, $row['operation_id']);
            }
            if (in_array($command, ['move', 'change_ip'], true)) {
                $this->module->saveAddress($order);
            }
        } catch (LoggedFailure) {
            return true;
        } catch (\Exception $failure) {
            $isRefusal = $failure instanceof \FOSSBilling\Exception;
            $outcome = $isRefusal ? $failure->getMessage() : Failure::describe($failure);
            $this->module->log($command ?? 'renew', (int) $row['id'], $outcome);
            return !Failure::isOutage($failure);
        }
        return true;
    }

    private function continueCommand(string $command, object $order, string $operationId): void
    {
        try {
            if (isset(self::ORDER_METHODS[$command])) {
                $this->orders->{self::ORDER_METHODS[$command]}($order);
            }
        } finally {
            // Some are not the order service's, and that refuses others once the order's status has changed.
            if (Store::findByOperation($this->di['dbal'], $operationId) !== null) {
                $this->module->run($command, $order, static fn (Order $one) => $one->subscription->completePending());
            }
        }
    }

    private function renewPaid(object $order): void
    {
        $this->orders->renewOrder($order);
        if ($this->module->open($order, 'describe')->subscription->license()['status'] === 'suspended') {
            $this->orders->suspendFromOrder($order);
        }
    }
}
