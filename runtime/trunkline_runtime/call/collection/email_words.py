"""How the marks of an e-mail address are said in each language that is read."""

from collections.abc import Mapping

# The at sign first; longer words before the shorter ones that they contain.
EMAIL_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "at sign": "@",
        "at": "@",
        "dot": ".",
        "point": ".",
        "period": ".",
        "underscore": "_",
        "dash": "-",
        "hyphen": "-",
        "minus": "-",
        "plus": "+",
    },
    "es": {
        "arroba": "@",
        "punto": ".",
        "guión bajo": "_",
        "guion bajo": "_",
        "guión": "-",
        "guion": "-",
        "menos": "-",
        "más": "+",
    },
    "fr": {
        "arobase": "@",
        "arrobase": "@",
        "point": ".",
        "tiret du bas": "_",
        "tiret bas": "_",
        "underscore": "_",
        "trait d'union": "-",
        "tiret": "-",
        "plus": "+",
    },
    "de": {
        "at": "@",
        "ät": "@",
        "klammeraffe": "@",
        "punkt": ".",
        "unterstrich": "_",
        "bindestrich": "-",
        "minus": "-",
        "plus": "+",
    },
}
