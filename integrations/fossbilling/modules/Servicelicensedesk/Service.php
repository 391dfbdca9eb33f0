<?php

declare(strict_types=1);

namespace Box\Mod\Servicelicensedesk;

use Box\Mod\Product\Entity\Product;
use FOSSBilling\InformationException;
use FOSSBilling\InjectionAwareInterface;
use LicenseDesk\Panel\Desk;
use LicenseDesk\Panel\Failure;

require_once __DIR__ . '/client/autoload.php';
require_once __DIR__ . '/common/autoload.php';

/** The product type `licensedesk`. FOSSBilling calls `create` to `delete` with rows of `client_order` and `service_licensedesk`. */
class Service implements InjectionAwareInterface
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

    protected ?\Pimple\Container $di = null;

    public function setDi(\Pimple\Container $di): void
    {
        $this->di = $di;
    }

    public function getDi(): ?\Pimple\Container
    {
        return $this->di;
    }

    public function getModulePermissions(): array
    {
        return [
            'manage' => [
                'type' => 'bool',
                'display_name' => __trans('Manage licenses'),
                'description' => __trans('Allows the staff member to move licenses and to compare them with orders.'),
            ],
            'manage_settings' => [],
        ];
    }

    public function install(): bool
    {
        Store::install($this->di['dbal']);
        return true;
    }

    public function uninstall(): bool
    {
        Store::uninstall($this->di['dbal']);
        return true;
    }

    public function attachOrderConfig(Product $product, array $data): array
    {
        $settings = json_decode($product->getConfig() ?? '', true) ?? [];
        return $settings + array_diff_key($data, array_flip(Order::PRODUCT_SETTINGS));
    }

    public function validateOrderData(array &$data): void
    {
        if (filter_var(trim((string) ($data['ip_address'] ?? '')), FILTER_VALIDATE_IP, FILTER_FLAG_IPV4) === false) {
            throw new InformationException('Enter the IPv4 address of the server.');
        }
        if ((int) ($data['quantity'] ?? 1) !== 1) {
            throw new InformationException('Order one license for each server.');
        }
    }

    public function create(object $order): object
    {
        return (new Store($this->di['dbal'], (int) $order->id))->row();
    }

    public function activate(object $order, mixed $service): bool
    {
        return $this->run('activate', $order, static fn (Order $one) => $one->create());
    }

    public function renew(object $order, mixed $service): bool
    {
        return $this->run('renew', $order, static fn (Order $one) => $one->renew());
    }

    public function suspend(object $order, mixed $service): bool
    {
        return $this->run('suspend', $order, static fn (Order $one) => $one->suspend());
    }

    public function unsuspend(object $order, mixed $service): bool
    {
        return $this->run('unsuspend', $order, static fn (Order $one) => $one->subscription->unsuspend());
    }

    public function cancel(object $order, mixed $service): bool
    {
        return $this->run('cancel', $order, static fn (Order $one) => $one->subscription->terminate());
    }

    /** Registers another license unless the canceled one had expired: a terminated one cannot return. */
    public function uncancel(object $order, mixed $service): bool
    {
        return $this->run('uncancel', $order, static fn (Order $one) => $one->create());
    }

    public function delete(object $order, mixed $service): bool
    {
        $this->run('delete', $order, static fn (Order $one) => $one->subscription->terminate());
        (new Store($this->di['dbal'], (int) $order->id))->delete();
        return true;
    }

    /** For the client, so many times per term. */
    public function changeIp(object $order, string $address): bool
    {
        $this->run('change_ip', $order, static fn (Order $one) => $one->changeIp($address));
        return $this->saveAddress($order);
    }

    public function move(object $order, string $address): bool
    {
        $this->run('move', $order, static fn (Order $one) => $one->subscription->move($address));
        return $this->saveAddress($order);
    }

    /** @param object $service row of `service_licensedesk` */
    public function toApiArray(object $service, bool $deep = false, ?object $identity = null): array
    {
        try {
            return $this->open($this->findOrder((int) $service->id), 'describe')->describe();
        } catch (\Exception) {
            return ['license' => ['Status' => 'Unknown'], 'install_command' => '', 'ip_changes_left' => 0];
        }
    }

    public function findOrder(int $id): object
    {
        $order = $this->di['db']->getExistingModelById('ClientOrder', $id, 'Order not found');
        if ($order->service_type !== 'licensedesk') {
            throw new InformationException('Order not found');
        }
        return $order;
    }

    public function desk(): Desk
    {
        $config = $this->di['mod_config']('servicelicensedesk');
        if (empty($config['url']) || empty($config['api_key'])) {
            throw new \RuntimeException('Enter the URL and the API key in the settings of License Desk.');
        }
        return new Desk(rtrim($config['url'], '/'), $config['api_key']);
    }

    public static function onBeforeAdminCronRun(\Box_Event $event): void
    {
        $di = $event->getDi();
        foreach (Store::pending($di['dbal']) as $row) {
            if (!$di['mod_service']('servicelicensedesk')->complete((int) $row['id'], $row['command'])) {
                return;
            }
        }
    }

    /**
     * Continues the pending command of an order once its outcome is known. If the order was paid meanwhile, it is
     * renewed, again until that succeeds, and suspended only if its license is.
     *
     * @param string|null $command null if only a renewal is due
     * @return bool false if License Desk cannot be asked now: cron would wait as long for each further order
     */
    public function complete(int $orderId, ?string $command): bool
    {
        try {
            $order = $this->findOrder($orderId);
            $subscription = $this->open($order, $command ?? 'renew')->subscription;
            if (!$subscription->isReady()) {
                return true;
            }
            $isPaid = $subscription->isRenewalDue() && in_array($order->status, ['active', 'failed_renew'], true)
                && in_array($command, [null, 'suspend', 'move', 'change_ip'], true);
            if ($isPaid) {
                $this->renewPaid($order);
            } elseif (isset(self::ORDER_METHODS[$command])) {
                $this->di['mod_service']('order')->{self::ORDER_METHODS[$command]}($order);
            } elseif ($command !== null) {
                $this->run($command, $order, static fn (Order $one) => $one->subscription->completePending());
            }
            if (in_array($command, ['move', 'change_ip'], true)) {
                $this->saveAddress($order);
            }
        } catch (\Exception $failure) {
            $this->log($command ?? 'renew', $orderId, Failure::describe($failure));
            return !Failure::isOutage($failure);
        }
        return true;
    }

    private function renewPaid(object $order): void
    {
        $this->di['mod_service']('order')->renewOrder($order);
        if ($this->open($order, 'describe')->subscription->license()['status'] === 'suspended') {
            $this->di['mod_service']('order')->suspendFromOrder($order);
        }
    }

    /** A canceled order that is activated again gets a license for the last address. */
    private function saveAddress(object $order): bool
    {
        $config = json_decode((string) $order->config, true) ?? [];
        $config['ip_address'] = $this->open($order, 'describe')->subscription->license()['ip_address'];
        return $this->di['mod_service']('order')->updateOrderConfig($order, $config);
    }

    private function open(object $order, string $command): Order
    {
        $report = fn (string $notice) => $this->log($command, (int) $order->id, $notice);
        return new Order($this->di['dbal'], $this->desk(), $order, $command, $report);
    }

    /** @param callable(Order): void $change */
    private function run(string $command, object $order, callable $change): bool
    {
        try {
            $change($this->open($order, $command));
        } catch (\Throwable $failure) {
            $message = Failure::describe($failure);
            $this->log($command, (int) $order->id, trim($message . ' ' . Failure::details($failure)));
            throw new InformationException($message);
        }
        $this->log($command, (int) $order->id, 'success');
        return true;
    }

    private function log(string $command, int $orderId, string $outcome): void
    {
        $this->di['logger']->info('License Desk: %s of order #%s: %s', $command, $orderId, $outcome);
    }
}
