"""TL004: text without quotes that YAML readers take for different things, or that loses something.

Finds: values and keys that YAML 1.1 and YAML 1.2 read differently (`no`, `on`, `21:00`,
`2026-01-02`, `1_000`, `0o17`), and numbers that lose what was written (`0205…` its zero,
`+1202…` its plus, an integer of twenty digits its end). The help shows the spelling in
quotes, and `trunkline check --fix` writes it.

On the phone: a closing time of `21:00` becomes 1260, a telephone number becomes another one, and
the outcome `no` becomes false.

Fails:

    closes: 21:00

Passes:

    closes: "21:00"
"""
