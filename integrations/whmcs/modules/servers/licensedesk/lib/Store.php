<?php

declare(strict_types=1);

namespace WHMCS\Module\Server\Licensedesk;

use WHMCS\Database\Capsule;

/** What the module remembers of each service: its license, the change that the provider has not confirmed, and counts. */
final class Store
{
    private const TABLE = 'mod_licensedesk';

    public static function row(int $serviceId): object
    {
        self::table()->insertOrIgnore(['service_id' => $serviceId, 'sequence' => 0, 'ip_changes' => 0]);
        return self::table()->where('service_id', $serviceId)->first();
    }

    /** @param array<string, int|string|null> $changes */
    public static function save(int $serviceId, array $changes): void
    {
        self::table()->where('service_id', $serviceId)->update($changes);
    }

    /** After a rejection the next request gets another idempotency key. Of two processes that saw the same row, one advances it. */
    public static function advance(object $row): void
    {
        self::table()->where('service_id', $row->service_id)->where('sequence', $row->sequence)
            ->update(['sequence' => $row->sequence + 1]);
    }

    /** @return iterable<object> */
    public static function pending(): iterable
    {
        return self::table()->whereNotNull('operation_id')->get();
    }

    public static function findBy(string $column, int|string $value): ?object
    {
        return self::table()->where($column, $value)->first();
    }

    private static function table(): object
    {
        if (!Capsule::schema()->hasTable(self::TABLE)) {
            try {
                Capsule::schema()->create(self::TABLE, self::define(...));
            } catch (\Exception $failure) {
                // Another process may have created it meanwhile.
                if (!Capsule::schema()->hasTable(self::TABLE)) {
                    throw $failure;
                }
            }
        }
        return Capsule::table(self::TABLE);
    }

    private static function define(object $table): void
    {
        $table->integer('service_id')->primary();
        $table->integer('license_id')->nullable()->index();
        $table->string('operation_id', 36)->nullable()->index();
        $table->string('command', 50)->nullable();
        $table->integer('sequence');
        $table->string('renewed_term', 10)->nullable();
        $table->integer('ip_changes');
        $table->string('ip_changes_term', 10)->nullable();
    }
}
