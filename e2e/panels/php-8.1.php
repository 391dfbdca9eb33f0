<?php

/** Prints where a PHP file uses syntax that PHP 8.1 lacks. Arguments: files. */

declare(strict_types=1);

$newer = [
    '/\breadonly (final |abstract )*class\b|\b(final|abstract) readonly class\b/' => 'a readonly class',
    '/\): \??(true|false|null) ?(\{|=>|;)/' => 'true, false or null as a type',
    '/([(,]|\b(public|protected|private|readonly|static)) ?\??(true|false|null) \$\w/' => 'true, false or null as a type',
    '/\bconst \??[\w|]+ \w+ =/' => 'a typed constant',
    '/\btrait \w+ \{/' => 'a trait, whose constants would be newer',
];
foreach (array_slice($argv, 1) as $file) {
    $code = '';
    foreach (token_get_all(file_get_contents($file)) as $token) {
        [$type, $text] = is_array($token) ? $token : [null, $token];
        $isProse = in_array($type, [T_COMMENT, T_DOC_COMMENT, T_CONSTANT_ENCAPSED_STRING, T_ENCAPSED_AND_WHITESPACE], true);
        $code .= $isProse ? '' : ($type === T_WHITESPACE ? ' ' : $text);
    }
    foreach ($newer as $pattern => $name) {
        if (preg_match($pattern, $code, $found) === 1) {
            echo "$file: $name: $found[0]\n";
        }
    }
}
