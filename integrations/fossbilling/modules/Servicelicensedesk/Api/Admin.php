<?php

declare(strict_types=1);

namespace Box\Mod\Servicelicensedesk\Api;

use Box\Mod\Servicelicensedesk\Comparison;
use FOSSBilling\Validation\Api\RequiredParams;
use LicenseDesk\Panel\Failure;

class Admin extends \FOSSBilling\Api\AbstractApi
{
    /** @return array{products: array<int, string>, error: string} names with prices, by id */
    public function products(): array
    {
        $this->checkPermissions('servicelicensedesk', 'manage');
        try {
            return ['products' => $this->getService()->desk()->productLabels(), 'error' => ''];
        } catch (\Exception $failure) {
            return ['products' => [], 'error' => Failure::describe($failure)];
        }
    }

    /** @return string what is wrong with the settings; empty if nothing is */
    public function test_connection(): string
    {
        $this->checkPermissions('servicelicensedesk', 'manage');
        try {
            return $this->getService()->desk()->testConnection();
        } catch (\Exception $failure) {
            return $failure->getMessage();
        }
    }

    /** @return list<string> where orders and licenses differ */
    public function differences(): array
    {
        $this->checkPermissions('servicelicensedesk', 'manage');
        return Comparison::differences($this->getDi()['dbal'], $this->getService()->desk());
    }

    /** Moves a license to another address. */
    #[RequiredParams(['order_id' => 'Order ID is required', 'ip_address' => 'IP address is required'])]
    public function move($data): bool
    {
        $this->checkPermissions('servicelicensedesk', 'manage');
        $order = $this->getService()->findOrder((int) $data['order_id']);
        return $this->getService()->move($order, trim((string) $data['ip_address']));
    }
}
