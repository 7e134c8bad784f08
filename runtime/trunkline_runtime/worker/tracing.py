"""Where the traces of calls go: to the collector that OpenTelemetry's own variables name.

A provider of our own, not the process's: livekit-agents writes what is said into its spans, and
those stay where its own settings send them.
"""

import os

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

_VARIABLES = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")


def provider_here() -> TracerProvider | None:
    """A provider that exports over OTLP/HTTP; None where no collector is named."""
    if not any(os.environ.get(name) for name in _VARIABLES):
        return None
    provider = TracerProvider(resource=Resource.create({"service.name": "trunkline-runtime"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider
