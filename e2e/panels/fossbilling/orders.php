<?php

declare(strict_types=1);

use FOSSBilling\InformationException;

/** FOSSBilling's order service: how it calls the module of a product type, and what it records. */
final class Orders
{
    public function __construct(private readonly \Pimple\Container $di)
    {
    }

    public function load(int $id): ?object
    {
        $row = $this->di['dbal']->fetchAssociative('SELECT * FROM client_order WHERE id = :id', ['id' => $id]);
        return $row === false ? null : (object) $row;
    }

    public function findForClientById(object $client, mixed $id): ?object
    {
        $order = $this->load((int) $id);
        return $order?->client_id === $client->id ? $order : null;
    }

    public function activateOrder(object $order): bool
    {
        if ($order->status === 'active') {
            return true;
        }
        if (!in_array($order->status, ['pending_setup', 'failed_setup'], true)) {
            throw new \FOSSBilling\Exception('Only pending setup or failed orders can be activated');
        }
        if ($order->service_id === null) {
            $this->save($order, ['service_id' => $this->call('create', $order)->id]);
        }
        $this->attempt('activate', $order, 'failed_setup');
        $this->save($order, ['status' => 'active', 'expires_at' => $this->end($order->period, $order->expires_at)]);
        return true;
    }

    public function renewOrder(object $order): bool
    {
        $this->attempt('renew', $order, 'failed_renew');
        $this->save($order, ['status' => 'active', 'expires_at' => $this->end($order->period, $order->expires_at)]);
        return true;
    }

    public function suspendFromOrder(object $order): bool
    {
        if ($order->status !== 'active') {
            throw new InformationException('Only active orders can be suspended');
        }
        return $this->change('suspend', $order, ['status' => 'suspended']);
    }

    public function unsuspendFromOrder(object $order): bool
    {
        return $this->change('unsuspend', $order, ['status' => 'active']);
    }

    public function cancelFromOrder(object $order): bool
    {
        if (in_array($order->status, ['canceled', 'pending_setup', 'failed_setup'], true)) {
            throw new \FOSSBilling\Exception("Cannot cancel $order->status order");
        }
        return $this->change('cancel', $order, ['status' => 'canceled', 'expires_at' => null]);
    }

    public function uncancelFromOrder(object $order): bool
    {
        return $this->change('uncancel', $order, ['status' => 'active', 'expires_at' => $this->end($order->period, null)]);
    }

    public function updateOrderConfig(object $order, array $config): bool
    {
        $this->save($order, ['config' => json_encode($config)]);
        return true;
    }

    public function deleteFromOrder(object $order): bool
    {
        $this->call('delete', $order);
        $this->di['dbal']->executeStatement('DELETE FROM client_order WHERE id = :id', ['id' => $order->id]);
        return true;
    }

    /** What the pages of the order get as `service`. */
    public function getOrderServiceData(object $order): ?array
    {
        $service = $this->service($order);
        return $service === null ? null : $this->di['mod_service']('servicelicensedesk')->toApiArray($service, true, (object) []);
    }

    private function change(string $action, object $order, array $changes): bool
    {
        $this->call($action, $order);
        $this->save($order, $changes);
        return true;
    }

    private function attempt(string $action, object $order, string $statusOfFailure): void
    {
        try {
            $this->call($action, $order);
        } catch (\Exception $failure) {
            $this->save($order, ['status' => $statusOfFailure]);
            $this->di['logger']->info('Order #%s: %s', $order->id, $failure->getMessage());
            throw $failure;
        }
    }

    private function call(string $action, object $order): mixed
    {
        return $this->di['mod_service']("service$order->service_type")->$action($this->load((int) $order->id), $this->service($order));
    }

    private function service(object $order): ?object
    {
        if ($order->service_id === null) {
            return null;
        }
        $query = "SELECT * FROM service_$order->service_type WHERE id = :id";
        $row = $this->di['dbal']->fetchAssociative($query, ['id' => $order->service_id]);
        return $row === false ? null : (object) $row;
    }

    private function save(object $order, array $changes): void
    {
        foreach ($changes as $name => $value) {
            $order->$name = $value;
            $sql = "UPDATE client_order SET $name = :value WHERE id = :id";
            $this->di['dbal']->executeStatement($sql, ['value' => $value, 'id' => $order->id]);
        }
    }

    private function end(string $period, ?string $from): string
    {
        $units = ['W' => 'weeks', 'M' => 'months', 'Y' => 'years'];
        $start = new DateTimeImmutable($from ?? 'now');
        return $start->modify('+' . $period[0] . ' ' . $units[$period[1]])->format('Y-m-d H:i:s');
    }
}
