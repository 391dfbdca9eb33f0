<?php

declare(strict_types=1);

namespace Box\Mod\Servicelicensedesk;

use Doctrine\DBAL\Connection;
use LicenseDesk\Panel\Desk;
use LicenseDesk\Panel\Subscription;
use LicenseDesk\Panel\Suspension;

/** An order of the panel and its license. */
final class Order
{
    /** Set by the product, never by the client. */
    public const PRODUCT_SETTINGS = ['license_desk_product', 'cores', 'ip_changes', 'install_command'];
    /** Of a license, before the order's number. */
    public const EXTERNAL_ID = SYSTEM_URL . ' order ';
    private const DEFAULT_IP_CHANGES = 3;

    public readonly Subscription $subscription;
    /** @var array<string, mixed> */
    private readonly array $config;

    /**
     * @param object $order row of `client_order`
     * @param \Closure(string): void $report tells staff
     */
    public function __construct(Connection $database, Desk $desk, private readonly object $order, string $command, \Closure $report)
    {
        $this->config = json_decode((string) $order->config, true) ?? [];
        $this->subscription = new Subscription(
            $desk,
            new Store($database, (int) $order->id),
            self::EXTERNAL_ID . $order->id,
            (string) $order->expires_at,
            $command,
            $report,
        );
    }

    public function create(): void
    {
        $this->subscription->create(...$this->product(), address: trim((string) ($this->config['ip_address'] ?? '')));
        if (($this->config['cores'] ?? '') !== '') {
            $this->subscription->setCores((int) $this->config['cores']);
        }
    }

    public function renew(): void
    {
        $this->subscription->renew(...$this->product());
    }

    /** FOSSBilling does not tell the reason: it suspends only orders that have expired, staff suspends any. */
    public function suspend(): void
    {
        $isOverdue = $this->order->expires_at !== null && strtotime($this->order->expires_at) < time();
        $this->subscription->suspend($isOverdue ? Suspension::UNPAID : '');
    }

    public function changeIp(string $address): void
    {
        $this->subscription->moveWithin($this->ipChanges(), $address);
    }

    /** @return array{license: array<string, string>, install_command: string, ip_changes_left: int} what the client sees */
    public function describe(): array
    {
        $license = $this->subscription->describe();
        $key = $license['License Key'] ?? null;
        $command = (string) ($this->config['install_command'] ?? '');
        return [
            'license' => $license,
            'install_command' => $key === null ? '' : str_replace('{license_key}', $key, $command),
            'ip_changes_left' => $this->subscription->movesLeft($this->ipChanges()),
        ];
    }

    private function ipChanges(): int
    {
        $allowed = $this->config['ip_changes'] ?? '';
        return $allowed === '' ? self::DEFAULT_IP_CHANGES : (int) $allowed;
    }

    /** @return array{productId: int, months: int, billingCycle: string} */
    private function product(): array
    {
        $period = (string) $this->order->period;
        $isWholeMonths = preg_match('/^(\d{1,2})([MY])$/', $period, $parts) === 1;
        return [
            'productId' => (int) ($this->config['license_desk_product'] ?? 0),
            'months' => $isWholeMonths ? (int) $parts[1] * ($parts[2] === 'Y' ? 12 : 1) : 0,
            'billingCycle' => $period === '' ? 'once' : $period,
        ];
    }
}
