<?php

declare(strict_types=1);

namespace LicenseDesk\Upmind;

use LicenseDesk\Panel\Desk;
use LicenseDesk\Panel\Subscription;

/** Each command is safe to repeat. Upmind does not report renewals, so licenses renew automatically unless suspended. */
final class Adapter
{
    /** Upmind waits for the answer. */
    private const LONGEST_WAIT_SECONDS = 15;

    public function __construct(private readonly Desk $desk)
    {
    }

    /**
     * @param array<string, mixed> $params as the provider *Generic* sends them, `extra` among the others
     * @return array<string, mixed>
     */
    public function run(string $command, array $params): array
    {
        return match ($command) {
            'create' => $this->create($params),
            'change_package' => $this->changePackage($params),
            'suspend' => $this->suspend($params),
            'unsuspend' => $this->unsuspend($params),
            'terminate' => $this->terminate($params),
            'usage' => $this->usage($params),
            default => throw new \InvalidArgumentException("There is no endpoint ?do=$command."),
        };
    }

    private function create(array $params): array
    {
        [$productId, $months] = self::package($params);
        $address = trim((string) ($params['ip'] ?? ''));
        if ($address === '') {
            throw new \InvalidArgumentException('The order has no IP address. Ask for it in the order setup fields.');
        }
        $name = 'upmind ' . hash('sha256', strtolower((string) ($params['customer_email'] ?? '')) . "|$productId|$months|$address");
        for ($number = 1; ; $number++) {
            $memory = new RequestMemory(null);
            // A license that was registered and terminated is not registered once more by the same idempotency key.
            $term = gmdate('Y-m-d H:i');
            $subscription = new Subscription($this->desk, $memory, "$name $number", $term, 'create');
            // It may have moved since, for another order.
            if (($subscription->find()['ip_address'] ?? $address) === $address) {
                break;
            }
        }
        $create = fn () => $subscription->create($productId, $months, "$months months", $address);
        $this->settle($subscription, $memory, $create);
        $license = $subscription->license();
        $this->setCores($params, $license->data);
        if ($license['status'] === 'active') {
            $this->setAutoRenew($license['license_id'], true);
        }
        return self::describe($license->data) + ['package_identifier' => $params['package_identifier']];
    }

    /** Cores and the address; another product or cycle needs a new order. */
    private function changePackage(array $params): array
    {
        $license = $this->find($params);
        [$productId] = self::package($params);
        if ($license['product_id'] !== $productId) {
            throw new \InvalidArgumentException("A license of $license[product] cannot become one of another product. Order a new one.");
        }
        $this->setCores($params, $license);
        $address = trim((string) ($params['ip'] ?? ''));
        if ($address !== '') {
            $this->change($license, 'move', static fn (Subscription $one) => $one->move($address));
        }
        return self::describe($license) + ['package_identifier' => $params['package_identifier']];
    }

    private function suspend(array $params): array
    {
        $license = $this->find($params);
        $this->setAutoRenew($license['license_id'], false);
        $this->change($license, 'suspend', static fn (Subscription $one) => $one->suspend('Suspended in Upmind'));
        return [];
    }

    /** A license that expired meanwhile is renewed: the client has paid. */
    private function unsuspend(array $params): array
    {
        $license = $this->find($params);
        $this->change($license, 'unsuspend', static fn (Subscription $one) => $one->unsuspend());
        if ($license['days_remaining'] === 0) {
            $this->change($license, 'renew', static fn (Subscription $one) => $one->renew());
        }
        $this->setAutoRenew($license['license_id'], true);
        return [];
    }

    private function terminate(array $params): array
    {
        $this->change($this->find($params), 'terminate', static fn (Subscription $one) => $one->terminate());
        return [];
    }

    private function usage(array $params): array
    {
        $license = $this->find($params);
        $fields = array_intersect_key($license, array_flip(['status', 'product', 'ip_address', 'expires_at', 'cores']));
        return ['units_consumed' => $license['cores'] ?? 1] + $fields;
    }

    /** @return array<string, mixed> */
    private function find(array $params): array
    {
        $key = trim((string) ($params['license_key'] ?? ''));
        foreach ($key === '' ? [] : $this->desk->client->licenses->find(['license_key' => $key]) as $license) {
            return $license;
        }
        throw new \InvalidArgumentException('No license has this key.');
    }

    /** @param array<string, mixed> $license */
    private function setCores(array $params, array $license): void
    {
        if (($params['cores'] ?? '') !== '') {
            $this->change($license, 'cores', static fn (Subscription $one) => $one->setCores((int) $params['cores']));
        }
    }

    private function setAutoRenew(int $licenseId, bool $isOn): void
    {
        $this->desk->client->licenses->setAutoRenew(['license_id' => $licenseId, 'auto_renew' => $isOn]);
    }

    /**
     * @param array<string, mixed> $license
     * @param callable(Subscription): void $change
     */
    private function change(array $license, string $command, callable $change): void
    {
        $memory = new RequestMemory((int) $license['license_id']);
        $name = "upmind license $license[license_id]";
        $subscription = new Subscription($this->desk, $memory, $name, $license['expires_at'], $command);
        $this->settle($subscription, $memory, static fn () => $change($subscription));
    }

    /** @param callable(): void $change continues when it is repeated */
    private function settle(Subscription $subscription, RequestMemory $memory, callable $change): void
    {
        try {
            $change();
        } catch (\RuntimeException $failure) {
            if ($memory->row()->operation_id === null) {
                throw $failure;
            }
            for ($deadline = time() + self::LONGEST_WAIT_SECONDS; !$subscription->isReady(); sleep(1)) {
                if (time() >= $deadline) {
                    throw $failure;
                }
            }
            $change();
        }
    }

    /** @return array{int, int} product id and months */
    private static function package(array $params): array
    {
        if (preg_match('#^(\d+)/(\d+)$#D', trim((string) ($params['package_identifier'] ?? '')), $parts) !== 1) {
            throw new \InvalidArgumentException('The package identifier is not a product id and months, such as 1/12.');
        }
        return [(int) $parts[1], (int) $parts[2]];
    }

    /** @param array<string, mixed> $license */
    private static function describe(array $license): array
    {
        return ['license_key' => $license['license_key'], 'service_identifier' => "lic_$license[license_id]"];
    }
}
