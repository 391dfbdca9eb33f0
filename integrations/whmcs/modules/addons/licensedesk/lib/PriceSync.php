<?php

declare(strict_types=1);

namespace WHMCS\Module\Addon\Licensedesk;

use WHMCS\Database\Capsule;
use WHMCS\Module\Server\Licensedesk\Server;

/** Sets the prices of products to what License Desk charges plus a markup. Amounts are decimal text. */
final class PriceSync
{
    /** Months => columns of tblpricing for the price and the setup fee. */
    private const COLUMNS = [
        1 => ['monthly', 'msetupfee'],
        3 => ['quarterly', 'qsetupfee'],
        6 => ['semiannually', 'ssetupfee'],
        12 => ['annually', 'asetupfee'],
        24 => ['biennially', 'bsetupfee'],
        36 => ['triennially', 'tsetupfee'],
    ];

    /**
     * The price of each cycle that a product is sold for here, in a currency of the panel.
     *
     * @return list<array{product: object, currency: object, column: string, cost: string, before: string, after: string}>
     */
    public static function plan(string $markup): array
    {
        $plan = [];
        foreach (Capsule::table('tblproducts')->where('servertype', 'licensedesk')->get() as $product) {
            foreach (self::sold($product)['cycles'] ?? [] as $cycle) {
                $currency = Capsule::table('tblcurrencies')->where('code', $cycle['currency'])->first();
                $prices = $currency === null ? null : self::prices($product, $currency)->first();
                [$price, $setupFee] = self::COLUMNS[$cycle['months']] ?? [null, null];
                // -1: the product is not sold for this cycle.
                if ($price !== null && $prices !== null && (string) $prices->$price !== '-1.00') {
                    $context = ['product' => $product, 'currency' => $currency];
                    $plan[] = $context + self::change($price, $cycle['price'], $prices, $markup);
                    $plan[] = $context + self::change($setupFee, $cycle['setup_fee'], $prices, $markup);
                }
            }
        }
        return $plan;
    }

    /** @return int number of changed prices */
    public static function apply(string $markup): int
    {
        $changes = array_filter(self::plan($markup), static fn (array $one): bool => $one['before'] !== $one['after']);
        foreach ($changes as $change) {
            self::prices($change['product'], $change['currency'])->update([$change['column'] => $change['after']]);
        }
        return count($changes);
    }

    /** Rounded up to a hundredth. */
    public static function withMarkup(string $cost, string $markup): string
    {
        $thousandths = self::scale($cost, 3) * (10_000 + self::scale($markup, 2));
        $hundredths = intdiv($thousandths + 99_999, 100_000);
        return sprintf('%d.%02d', intdiv($hundredths, 100), $hundredths % 100);
    }

    private static function scale(string $amount, int $decimals): int
    {
        if (preg_match("/^(\d{1,9})(?:\.(\d{1,$decimals}))?$/D", trim($amount), $parts) !== 1) {
            throw new \RuntimeException("\"$amount\" is not a number with at most $decimals decimals.");
        }
        return (int) ($parts[1] . str_pad($parts[2] ?? '', $decimals, '0'));
    }

    /** @return array<string, string> */
    private static function change(string $column, string $cost, object $prices, string $markup): array
    {
        $after = self::withMarkup($cost, $markup);
        return ['column' => $column, 'cost' => $cost, 'before' => (string) $prices->$column, 'after' => $after];
    }

    private static function prices(object $product, object $currency): object
    {
        return Capsule::table('tblpricing')->where('type', 'product')
            ->where('relid', $product->id)->where('currency', $currency->id);
    }

    /** @return array<string, mixed>|null the product at License Desk */
    private static function sold(object $product): ?array
    {
        $serverId = Capsule::table('tblservergroupsrel')->where('groupid', $product->servergroup)->value('serverid');
        $server = Server::find((int) $serverId);
        return $server === null ? null : Server::desk($server)->findProduct((int) $product->configoption1);
    }
}
