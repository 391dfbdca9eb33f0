<?php

declare(strict_types=1);

namespace WHMCS\Module\Server\Licensedesk;

use LicenseDesk\Panel\Desk;
use LicenseDesk\Panel\Subscription;
use WHMCS\Config\Setting;
use WHMCS\Database\Capsule;

/** A service of the panel: what its commands get from the panel, and what the panel shows of the license. */
final class Service
{
    private const MONTHS = [
        'Monthly' => 1, 'Quarterly' => 3, 'Semi-Annually' => 6, 'Annually' => 12, 'Biennially' => 24, 'Triennially' => 36,
    ];
    private const DEFAULT_IP_CHANGES = 3;

    public readonly Subscription $subscription;

    /** @param array<string, mixed> $params as the panel passes them to module functions */
    public function __construct(private readonly array $params, string $command)
    {
        if (!empty($params['addonId'])) {
            throw new \RuntimeException('A product addon cannot have a license. Sell it as a product.');
        }
        $id = (int) $params['serviceid'];
        $dueDate = (string) Capsule::table('tblhosting')->where('id', $id)->value('nextduedate');
        $name = Setting::getValue('SystemURL') . " service $id";
        $report = static fn (string $notice) => logActivity("License Desk: service $id: $notice");
        $this->subscription = new Subscription(Server::desk($params), new Store($id), $name, $dueDate, $command, $report);
    }

    public function create(): void
    {
        $this->subscription->create(...$this->product(), address: $this->orderedAddress());
        $this->refresh();
        $this->setCores();
    }

    public function renew(): void
    {
        $this->subscription->renew(...$this->product());
    }

    public function suspend(): void
    {
        $this->subscription->suspend((string) ($this->params['suspendreason'] ?? ''));
    }

    /** What was paid for meanwhile is renewed. */
    public function completePending(): void
    {
        if ($this->subscription->isRenewalDue()) {
            $this->renew();
        } else {
            $this->subscription->completePending();
        }
        $this->refresh();
    }

    /** Another number of cores takes effect at once, another billing cycle at the next renewal. */
    public function changePackage(): void
    {
        Desk::requireProduct($this->subscription->license(), (int) $this->params['configoption1']);
        $this->setCores();
    }

    /** Moves the license to the address in the service's Dedicated IP field. */
    public function moveToDedicatedIp(): void
    {
        $this->subscription->move(trim($this->dedicatedIp()));
        $this->refresh();
    }

    public function changeIp(string $address): void
    {
        $this->subscription->moveWithin($this->ipChanges(), $address);
        $this->refresh();
    }

    public function ipChangesLeft(): int
    {
        return $this->subscription->movesLeft($this->ipChanges());
    }

    public function dedicatedIp(): string
    {
        return (string) $this->params['model']->serviceProperties->get('Dedicated IP');
    }

    /** Copies the license's data into the service's fields. */
    public function refresh(): void
    {
        $license = $this->subscription->license();
        // If the order has this field, a create compares it with the license's address.
        $ordered = isset($this->params['customfields']['IP Address']) ? ['IP Address' => $license['ip_address']] : [];
        $this->params['model']->serviceProperties->save($ordered + [
            'License ID' => "lic_$license[license_id]",
            'License Key' => $license['license_key'],
            'Dedicated IP' => $license['ip_address'],
        ]);
    }

    /** @return array{productId: int, months: int, billingCycle: string} */
    private function product(): array
    {
        $billingCycle = $this->params['model']->billingcycle;
        return [
            'productId' => (int) $this->params['configoption1'],
            'months' => self::MONTHS[$billingCycle] ?? 0,
            'billingCycle' => $billingCycle,
        ];
    }

    /** The order's field `IP Address`, or the service's Dedicated IP. */
    private function orderedAddress(): string
    {
        $ordered = trim((string) ($this->params['customfields']['IP Address'] ?? ''));
        return $ordered !== '' ? $ordered : trim($this->dedicatedIp());
    }

    private function setCores(): void
    {
        $cores = $this->params['configoptions']['Cores'] ?? null;
        if ($cores !== null) {
            $this->subscription->setCores((int) $cores);
        }
    }

    private function ipChanges(): int
    {
        $allowed = $this->params['configoption2'] ?? '';
        return $allowed === '' ? self::DEFAULT_IP_CHANGES : (int) $allowed;
    }
}
