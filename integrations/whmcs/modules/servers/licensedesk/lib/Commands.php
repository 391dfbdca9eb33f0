<?php

declare(strict_types=1);

namespace WHMCS\Module\Server\Licensedesk;

use LicenseDesk\ApiException;
use LicenseDesk\Result;
use WHMCS\Config\Setting;

/** What the panel can do with a service. Each returns normally or throws what staff is shown. */
final class Commands
{
    private const DEFAULT_IP_CHANGES = 3;

    public static function create(Service $service): void
    {
        $row = $service->row();
        if ($row->license_id === null) {
            $license = $service->change('register', static fn (?string $key): Result => self::register($service, $key));
            Store::save((int) $row->service_id, ['license_id' => $license['license_id']]);
        }
        $license = $service->refresh();
        self::setCores($service, $license);
    }

    public static function suspend(Service $service): void
    {
        $parameters = ['license_id' => $service->licenseId(), 'reason' => (string) ($service->params['suspendreason'] ?? '')];
        $service->change('suspend', static fn (): Result => $service->client->licenses->suspend($parameters));
    }

    public static function unsuspend(Service $service): void
    {
        $parameters = ['license_id' => $service->licenseId()];
        $service->change('unsuspend', static fn (): Result => $service->client->licenses->unsuspend($parameters));
    }

    /** A license that has ended already counts as terminated. */
    public static function terminate(Service $service): void
    {
        $service->completePending();
        $row = $service->row();
        if ($row->license_id === null) {
            return;
        }
        $parameters = ['license_id' => $service->licenseId()];
        try {
            $service->change('terminate', static fn (): Result => $service->client->licenses->terminate($parameters));
        } catch (ApiException $failure) {
            $hasEnded = $failure->errorCode === 'INVALID_STATE'
                && in_array($service->client->licenses->info($parameters)['status'], ['expired', 'terminated'], true);
            if (!$hasEnded) {
                throw $failure;
            }
        }
        Store::save((int) $row->service_id, ['license_id' => null]);
        Store::advance($row);
    }

    public static function renew(Service $service): void
    {
        $term = $service->term();
        if ($service->row()->renewed_term === $term) {
            return;
        }
        $parameters = ['license_id' => $service->licenseId(), 'cycle_id' => self::cycle($service)];
        $renew = static fn (?string $key): Result => $service->client->licenses->renew($parameters, $key);
        $service->change('renew', $renew);
        Store::save((int) $service->row()->service_id, ['renewed_term' => $term]);
    }

    /** Another number of cores takes effect at once, another billing cycle at the next renewal. */
    public static function changePackage(Service $service): void
    {
        $license = $service->refresh();
        $product = $service->desk->findProduct((int) $service->params['configoption1']);
        if ($product !== null && $product['name'] !== $license['product']) {
            throw new \RuntimeException("A license of $license[product] cannot become one of $product[name]. Order a new service.");
        }
        self::setCores($service, $license);
    }

    /** Moves the license to the address in the service's Dedicated IP field. */
    public static function moveToDedicatedIp(Service $service): void
    {
        self::move($service, trim((string) $service->params['model']->serviceProperties->get('Dedicated IP')));
    }

    /** For the client, so many times per term. */
    public static function changeIp(Service $service, string $address): void
    {
        if (self::ipChangesLeft($service) <= 0) {
            throw new \RuntimeException('The address cannot be changed again before the next due date. Contact support.');
        }
        $row = $service->row();
        $term = $service->term();
        $count = $row->ip_changes_term === $term ? (int) $row->ip_changes : 0;
        Store::save((int) $row->service_id, ['ip_changes' => $count + 1, 'ip_changes_term' => $term]);
        try {
            self::move($service, $address);
        } catch (ApiException $failure) {
            Store::save((int) $row->service_id, ['ip_changes' => $count]);
            throw $failure;
        }
    }

    public static function ipChangesLeft(Service $service): int
    {
        $row = $service->row();
        $allowed = $service->params['configoption2'] ?? '';
        $used = $row->ip_changes_term === $service->term() ? (int) $row->ip_changes : 0;
        return max(0, ($allowed === '' ? self::DEFAULT_IP_CHANGES : (int) $allowed) - $used);
    }

    private static function register(Service $service, ?string $key): Result
    {
        $productId = (int) $service->params['configoption1'];
        $product = $service->desk->findProduct($productId)
            ?? throw new \RuntimeException('The product is no longer on sale. Choose another one in Module Settings.');
        return $service->client->licenses->register([
            'product_id' => $productId,
            'cycle_id' => $service->desk->cycleFor($product, $service->params['model']->billingcycle),
            'ip_address' => $service->orderedAddress(),
            // Even without this module's table, a service has one license.
            'external_id' => Setting::getValue('SystemURL') . " service {$service->params['serviceid']}",
        ], $key);
    }

    /** Null for a product that is no longer on sale: the license keeps its cycle. */
    private static function cycle(Service $service): ?int
    {
        $product = $service->desk->findProduct((int) $service->params['configoption1']);
        return $product === null ? null : $service->desk->cycleFor($product, $service->params['model']->billingcycle);
    }

    private static function setCores(Service $service, Result $license): void
    {
        $cores = (int) ($service->params['configoptions']['Cores'] ?? $license['cores']);
        $isPending = $service->row()->operation_id !== null;
        if ($license['cores'] !== null && ($cores !== $license['cores'] || $isPending)) {
            $parameters = ['license_id' => $license['license_id'], 'cores' => $cores];
            $service->change('cores', static fn (): Result => $service->client->licenses->changeCores($parameters));
        }
    }

    private static function move(Service $service, string $address): void
    {
        $parameters = ['license_id' => $service->licenseId(), 'new_ip' => $address];
        $service->change('move', static fn (): Result => $service->client->licenses->changeIp($parameters));
        $service->refresh();
    }
}
