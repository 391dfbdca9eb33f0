<?php

/** Renders a template of the server module with Debian's Smarty. Standard input: `{"template", "vars"}`. */

declare(strict_types=1);

require 'smarty4/Smarty.class.php';

$task = json_decode(stream_get_contents(STDIN), true, 64, JSON_THROW_ON_ERROR);
$smarty = new Smarty();
$smarty->setTemplateDir(__DIR__ . '/modules/servers/licensedesk');
$smarty->setCompileDir(__DIR__ . '/templates_c');
$smarty->assign($task['vars']);
echo json_encode($smarty->fetch("$task[template].tpl"), JSON_THROW_ON_ERROR);
