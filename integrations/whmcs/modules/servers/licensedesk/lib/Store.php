<?php

declare(strict_types=1);

namespace WHMCS\Module\Server\Licensedesk;

use LicenseDesk\Panel\Memory;
use WHMCS\Database\Capsule;

final class Store implements Memory
{
    private const TABLE = 'mod_licensedesk';

    public function __construct(private readonly int $serviceId)
    {
    }

    public function row(): object
    {
        self::table()->insertOrIgnore(['service_id' => $this->serviceId, 'sequence' => 0, 'ip_changes' => 0]);
        return self::table()->where('service_id', $this->serviceId)->first();
    }

    public function save(array $changes): void
    {
        self::table()->where('service_id', $this->serviceId)->update($changes);
    }

    public function advance(object $row): void
    {
        self::table()->where('service_id', $this->serviceId)->where('sequence', $row->sequence)
            ->update(['sequence' => $row->sequence + 1]);
    }

    /** @return iterable<object> with a pending change, or a renewal that is due */
    public static function pending(): iterable
    {
        return self::table()->whereNotNull('operation_id')->orWhereNotNull('due_term')->get();
    }

    public static function findByOperation(string $operationId): ?object
    {
        return self::table()->where('operation_id', $operationId)->first();
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
        $table->string('mode', 4)->nullable();
        $table->string('operation_id', 36)->nullable()->index();
        $table->string('command', 50)->nullable();
        $table->integer('sequence');
        $table->string('renewed_term', 10)->nullable();
        $table->string('renewing_term', 10)->nullable();
        $table->string('renewing_from', 30)->nullable();
        $table->string('due_term', 10)->nullable();
        $table->text('suspend_reason')->nullable();
        $table->string('registered_address', 255)->nullable();
        $table->integer('ip_changes');
        $table->string('ip_changes_term', 10)->nullable();
    }
}
