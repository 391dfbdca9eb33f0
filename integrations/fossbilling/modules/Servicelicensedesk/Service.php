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
        (new Completion($event->getDi()))->all();
    }

    /** A canceled order that is activated again gets a license for the last address. */
    public function saveAddress(object $order): bool
    {
        $config = json_decode((string) $order->config, true) ?? [];
        $config['ip_address'] = $this->open($order, 'describe')->subscription->license()['ip_address'];
        return $this->di['mod_service']('order')->updateOrderConfig($order, $config);
    }

    public function open(object $order, string $command): Order
    {
        $report = fn (string $notice) => $this->log($command, (int) $order->id, $notice);
        return new Order($this->di['dbal'], $this->desk(), $order, $command, $report);
    }

    /** @param callable(Order): void $change */
    public function run(string $command, object $order, callable $change): bool
    {
        try {
            $change($this->open($order, $command));
        } catch (\Throwable $failure) {
            $message = Failure::describe($failure);
            $this->log($command, (int) $order->id, trim($message . ' ' . Failure::details($failure)));
            throw new LoggedFailure($message);
        }
        $this->log($command, (int) $order->id, 'success');
        return true;
    }

    public function log(string $command, int $orderId, string $outcome): void
    {
        $this->di['logger']->info('License Desk: %s of order #%s: %s', $command, $orderId, $outcome);
    }
}
