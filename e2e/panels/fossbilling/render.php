<?php

/**
 * Renders a template of the module with Debian's Twig. Standard input: `{"area", "template", "vars", "api"}`, `api` with the
 * answers of the admin API.
 */

declare(strict_types=1);

use Twig\TwigFilter;
use Twig\TwigFunction;

require 'Twig/autoload.php';

$task = json_decode(stream_get_contents(STDIN), true, 64, JSON_THROW_ON_ERROR);
/** An API in templates: `admin.extension_config_get(…)` is its answer. */
final class Api
{
    public function __construct(private readonly array $answers)
    {
    }

    public function __call(string $method, array $arguments): mixed
    {
        return $this->answers[$method];
    }
}

$layout = new Twig\Loader\ArrayLoader(['layout_default.html.twig' => '{% block content %}{% endblock %}']);
$templates = new Twig\Loader\FilesystemLoader(__DIR__ . "/modules/Servicelicensedesk/templates/$task[area]");
$loader = new Twig\Loader\ChainLoader([$layout, $templates]);
$twig = new Twig\Environment($loader, ['strict_variables' => true, 'autoescape' => 'html']);
$twig->addFilter(new TwigFilter('trans', static fn (string $text): string => $text));
$twig->addFilter(new TwigFilter('api_url', static fn (string $path): string => "/api/$path"));
$twig->addFunction(new TwigFunction('fb_api_form', static fn (array $options): string => 'data-fb-api', ['is_safe' => ['html']]));
$vars = $task['vars'] + [
    'admin' => new Api($task['api']),
    'guest' => new Api(['system_company' => ['name' => 'Shop'], 'system_email' => ['signature' => '']]),
    'request' => ['ajax' => false],
];
echo json_encode($twig->render("mod_servicelicensedesk_$task[template].html.twig", $vars), JSON_THROW_ON_ERROR);
