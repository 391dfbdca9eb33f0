<?php

declare(strict_types=1);

namespace LicenseDesk;

/** Every operation of the API, by its operationId in the OpenAPI document: method and path. */
enum Operation: string
{
    case LicenseStatus = 'GET /license/status';
    case LicenseVerify = 'POST /license/verify';
    case LicenseUpdate = 'POST /license/update';
    case LicensesSetAutoRenew = 'POST /license/auto-renew';
    case LicensesTerminate = 'POST /license/terminate';
    case Licenses = 'GET /licenses';
    case Diagnostics = 'GET /diagnostics';
    case DiagnosticsReport = 'POST /diagnostics';
    case MeGet = 'GET /me';
    case OperationsGet = 'GET /operations/{id}';
    case WebhookEndpoints = 'GET /webhook-endpoints';
    case WebhookEndpointsCreate = 'POST /webhook-endpoints';
    case WebhookEndpointsGet = 'GET /webhook-endpoints/{id}';
    case WebhookEndpointsUpdate = 'PATCH /webhook-endpoints/{id}';
    case WebhookEndpointsDelete = 'DELETE /webhook-endpoints/{id}';
    case WebhookEndpointsRotateSecret = 'POST /webhook-endpoints/{id}/rotate-secret';
    case WebhookEndpointsTest = 'POST /webhook-endpoints/{id}/test';
    case WebhookEndpointsVerify = 'POST /webhook-endpoints/{id}/verify';
    case Events = 'GET /events';
    case EventsGet = 'GET /events/{id}';
    case EventsResend = 'POST /events/{id}/resend';
    case LicenseRegister = 'POST /dispatch/license.register';
    case LicenseRenew = 'POST /dispatch/license.renew';
    case LicenseChangeIp = 'POST /dispatch/license.change_ip';
    case LicenseChangeCore = 'POST /dispatch/license.change_core';
    case LicenseSuspend = 'POST /dispatch/license.suspend';
    case LicenseUnsuspend = 'POST /dispatch/license.unsuspend';
    case LicenseTerminate = 'POST /dispatch/license.terminate';
    case LicenseSetAutoRenew = 'POST /dispatch/license.set_auto_renew';
    case LicenseSetLabels = 'POST /dispatch/license.set_labels';
    case LicenseInfo = 'GET /dispatch/license.info';
    case LicenseList = 'GET /dispatch/license.list';
    case BundleRegister = 'POST /dispatch/bundle.register';
    case BundleRenew = 'POST /dispatch/bundle.renew';
    case BundleChangeIp = 'POST /dispatch/bundle.change_ip';
    case BundleInfo = 'GET /dispatch/bundle.info';
    case OperationInfo = 'GET /dispatch/operation.info';
    case Me = 'GET /dispatch/me';
    case Balance = 'GET /dispatch/balance';
    case Products = 'GET /dispatch/products';
    case Bundles = 'GET /dispatch/bundles';

    private const DISPATCH = '/dispatch/';

    public function method(): string
    {
        return strtok($this->value, ' ');
    }

    /** Whether it takes an idempotency key (contract 1.11). */
    public function takesKey(): bool
    {
        return $this->method() === 'POST' && $this !== self::LicenseVerify;
    }

    /** The name on the dispatch interface, such as `license.register`; null on the path interface. */
    public function endpoint(): ?string
    {
        $path = $this->path();
        return str_starts_with($path, self::DISPATCH) ? substr($path, strlen(self::DISPATCH)) : null;
    }

    public function path(): string
    {
        return substr($this->value, strlen($this->method()) + 1);
    }
}
