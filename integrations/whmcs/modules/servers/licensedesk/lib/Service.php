<?php

declare(strict_types=1);

namespace WHMCS\Module\Server\Licensedesk;

use LicenseDesk\ApiException;
use LicenseDesk\Client;
use LicenseDesk\Result;
use WHMCS\Config\Setting;
use WHMCS\Database\Capsule;

/** A service of the panel and its license. */
final class Service
{
    /** Charged once per service and term, however often the panel asks. Other changes set a state, so repeating them is safe. */
    private const CHARGED = ['register', 'renew'];
    /** Statuses that mean: nothing happened under this key. */
    private const REJECTED = [400, 404, 409];

    public readonly Desk $desk;
    public readonly Client $client;
    private readonly int $id;

    /** @param array<string, mixed> $params as the panel passes them to module functions */
    public function __construct(public readonly array $params, private readonly string $command)
    {
        if (!empty($params['addonId'])) {
            throw new \RuntimeException('A product addon cannot have a license. Sell it as a product.');
        }
        $this->desk = new Desk($params);
        $this->client = $this->desk->client;
        $this->id = (int) $params['serviceid'];
    }

    public function row(): object
    {
        return Store::row($this->id);
    }

    public function licenseId(): int
    {
        return (int) ($this->row()->license_id ?? throw new \RuntimeException('The service has no license yet. Run Create.'));
    }

    /** Due date of the current term. */
    public function term(): string
    {
        return (string) Capsule::table('tblhosting')->where('id', $this->id)->value('nextduedate');
    }

    /** The order's field `IP Address`, or the service's Dedicated IP. */
    public function orderedAddress(): string
    {
        $ordered = trim((string) ($this->params['customfields']['IP Address'] ?? ''));
        return $ordered !== '' ? $ordered : trim((string) $this->params['model']->serviceProperties->get('Dedicated IP'));
    }

    /**
     * Requests a change. If it is pending already, completes it; another pending change is completed first.
     *
     * @param callable(?string): Result $request gets the idempotency key
     * @return Result with `license_id`
     */
    public function change(string $operation, callable $request): Result
    {
        $row = $this->row();
        if ($row->operation_id !== null) {
            $completed = $this->complete($row);
            if ($row->command === $this->command) {
                return $completed;
            }
        }
        try {
            $result = $request(in_array($operation, self::CHARGED, true) ? $this->idempotencyKey($row, $operation) : null);
        } catch (ApiException $failure) {
            if (!$failure->isTemporary() && in_array($failure->status, self::REJECTED, true)) {
                Store::advance($row);
            }
            throw $failure;
        }
        if ($result->isPending()) {
            Store::save($this->id, ['operation_id' => $result->operationId, 'command' => $this->command]);
            throw new \RuntimeException(self::describePending($this->command));
        }
        return $result;
    }

    public function completePending(): void
    {
        $row = $this->row();
        if ($row->operation_id !== null) {
            $this->complete($row);
        }
    }

    /** Copies the license's data into the service's fields. */
    public function refresh(): Result
    {
        $license = $this->client->licenses->info(['license_id' => $this->licenseId()]);
        $this->params['model']->serviceProperties->save([
            'License ID' => "lic_$license[license_id]",
            'License Key' => $license['license_key'],
            'Dedicated IP' => $license['ip_address'],
        ]);
        return $license;
    }

    private function complete(object $row): Result
    {
        $operation = $this->client->operations->info($row->operation_id);
        if ($operation['status'] === 'pending') {
            throw new \RuntimeException(self::describePending($row->command));
        }
        $effects = match ($operation['operation'] . ' ' . $operation['status']) {
            'license.register succeeded' => ['license_id' => $operation['license_id']],
            'license.renew succeeded' => ['renewed_term' => $this->term()],
            default => [],
        };
        Store::save($this->id, ['operation_id' => null, 'command' => null] + $effects);
        if ($operation['status'] === 'rejected') {
            Store::advance($row);
            throw new \RuntimeException("The provider rejected $row->command: $operation[message]");
        }
        return $operation;
    }

    private static function describePending(string $command): string
    {
        return "$command is pending: the provider has not confirmed it yet. It completes automatically.";
    }

    private function idempotencyKey(object $row, string $operation): string
    {
        $term = $operation === 'renew' ? $this->term() : '';
        $parts = [Setting::getValue('SystemURL'), $this->id, $operation, $term, $row->sequence];
        return 'whmcs-' . hash('sha256', implode('|', $parts));
    }
}
