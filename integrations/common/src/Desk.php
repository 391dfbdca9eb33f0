<?php

declare(strict_types=1);

namespace LicenseDesk\Panel;

use LicenseDesk\ApiException;
use LicenseDesk\Client;
use LicenseDesk\ConnectionException;
use LicenseDesk\Result;

/** License Desk, as a panel's module uses it. */
final class Desk
{
    private const SCOPES = ['licenses:read', 'licenses:write', 'licenses:terminate', 'catalog:read'];
    /** Somebody waits for the page, and cron has other commands to run while something is down. */
    private const LONGEST_WAIT_SECONDS = 5;
    /** Cron's further commands would meet the same limit of requests. It ends within a minute. */
    private const LONGEST_LIMIT_SECONDS = 90;

    /** `test` or `live`: what the API key sees. */
    public readonly string $mode;
    public readonly Client $client;
    /** For what pages only show: they do not wait for a server that does not answer. */
    public readonly Client $pageClient;

    public function __construct(string $url, #[\SensitiveParameter] string $apiKey)
    {
        if (preg_match('#^(https://|http://127\.0\.0\.1(:|/|$))#', $url) !== 1) {
            throw new \RuntimeException('The URL must start with https: the API key is never sent unencrypted.');
        }
        $this->mode = str_starts_with($apiKey, 'lk_test_') ? 'test' : 'live';
        $this->client = new Client(
            $url,
            $apiKey,
            timeoutSeconds: 15,
            maxRetries: 3,
            longestWaitSeconds: self::LONGEST_WAIT_SECONDS,
            longestLimitSeconds: PHP_SAPI === 'cli' ? self::LONGEST_LIMIT_SECONDS : null,
        );
        $this->pageClient = new Client($url, $apiKey, timeoutSeconds: 3, maxRetries: 0);
    }

    /** @return Result|null null if the API key cannot see it: it is of another mode or account */
    public function findOperation(string $operationId): ?Result
    {
        try {
            return $this->client->operations->info($operationId);
        } catch (ApiException $failure) {
            return $failure->errorCode === 'OPERATION_NOT_FOUND' ? null : throw $failure;
        }
    }

    public function isPending(string $operationId): bool
    {
        return ($this->findOperation($operationId)['status'] ?? null) === 'pending';
    }

    /** @throws ConnectionException|ApiException */
    public function isAnswering(): bool
    {
        return $this->client->me()->status === 200;
    }

    /** Whether the API key may change licenses. */
    public function mayWrite(): bool
    {
        return in_array('licenses:write', $this->client->me()['key']['scopes'], true);
    }

    /** What is wrong with the connection or the API key; empty if nothing is. */
    public function testConnection(): string
    {
        try {
            $missing = array_diff(self::SCOPES, $this->client->me()['key']['scopes']);
            $scopes = implode(', ', $missing);
            return $missing === [] ? '' : "The API key lacks the scopes $scopes. Create one that has them.";
        } catch (ApiException $failure) {
            return $failure->status === 401
                ? 'License Desk does not accept the API key. Paste a valid one.'
                : Failure::describe($failure);
        } catch (\Exception $failure) {
            return $failure->getMessage();
        }
    }

    /** @return array<int, string> names with prices, by id */
    public function productLabels(): array
    {
        $labels = [];
        foreach ($this->client->products() as $product) {
            $prices = array_map(static fn (array $cycle): string => "$cycle[name] $cycle[price] $cycle[currency]", $product['cycles']);
            $labels[$product['product_id']] = "$product[name] (" . implode(', ', $prices) . ')';
        }
        return $labels;
    }

    /** @return array<string, mixed>|null null if it is no longer on sale */
    public function findProduct(int $productId): ?array
    {
        $found = array_filter($this->client->products(), static fn (array $one): bool => $one['product_id'] === $productId);
        return array_values($found)[0] ?? null;
    }

    /** A license keeps its product. */
    public static function requireProduct(Result $license, int $productId): void
    {
        if ($license['product_id'] !== $productId) {
            throw new \RuntimeException("A license of $license[product] cannot become one of another product. Order a new service.");
        }
    }

    /** @param string $billingCycle as the panel calls it */
    public function cycleId(int $productId, int $months, string $billingCycle): int
    {
        $product = $this->findProduct($productId) ?? throw new \RuntimeException(
            'The product is no longer on sale. Its licenses renew by the billing cycle that they have; sell another one as a new product.',
        );
        foreach ($product['cycles'] as $cycle) {
            if ($cycle['months'] === $months) {
                return $cycle['cycle_id'];
            }
        }
        throw new \RuntimeException("$product[name] is not sold for the billing cycle $billingCycle.");
    }
}
