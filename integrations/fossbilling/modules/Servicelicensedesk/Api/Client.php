<?php

declare(strict_types=1);

namespace Box\Mod\Servicelicensedesk\Api;

use FOSSBilling\InformationException;
use FOSSBilling\Validation\Api\RequiredParams;

class Client extends \FOSSBilling\Api\AbstractApi
{
    /** Moves the client's license to another address. */
    #[RequiredParams(['order_id' => 'Order ID is required', 'ip_address' => 'IP address is required'])]
    public function change_ip($data): bool
    {
        $order = $this->getDi()['mod_service']('order')->findForClientById($this->getIdentity(), $data['order_id']);
        if ($order === null || $order->service_type !== 'licensedesk' || $order->status !== 'active') {
            throw new InformationException('Order not found');
        }
        return $this->getService()->changeIp($order, trim((string) $data['ip_address']));
    }
}
