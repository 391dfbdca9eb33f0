<?php

declare(strict_types=1);

namespace Box\Mod\Servicelicensedesk\Controller;

use Box\Mod\Servicelicensedesk\Completion;
use Box\Mod\Servicelicensedesk\Store;
use FOSSBilling\Http\ResponseFactory;
use FOSSBilling\InjectionAwareInterface;
use LicenseDesk\Panel\Webhook;
use Symfony\Component\HttpFoundation\Response;

/** Receives License Desk's webhooks at `/servicelicensedesk/webhook`. */
class Client implements InjectionAwareInterface
{
    protected ?\Pimple\Container $di = null;

    public function setDi(\Pimple\Container $di): void
    {
        $this->di = $di;
    }

    public function getDi(): ?\Pimple\Container
    {
        return $this->di;
    }

    public function register(\Box_App &$app): void
    {
        $app->post('/servicelicensedesk/webhook', 'receiveWebhook', [], static::class);
    }

    public function receiveWebhook(\Box_App $app): Response
    {
        $completion = new Completion($this->di);
        $secret = trim((string) ($this->di['mod_config']('servicelicensedesk')['webhook_secret'] ?? ''));
        $complete = function (string $operationId) use ($completion): void {
            $row = Store::findByOperation($this->di['dbal'], $operationId);
            if ($row !== null) {
                $completion->one($row);
            }
        };
        [$status, $body] = Webhook::receive((string) file_get_contents('php://input'), $_SERVER, $secret, $complete);
        return (new ResponseFactory())->html($body, $status, ['Content-Type' => 'text/plain']);
    }
}
