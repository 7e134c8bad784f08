"""Where the traces of calls go: to the collector that OpenTelemetry's own variables name.

A provider of our own, not the process's: livekit-agents writes what is said into its spans, and
those stay where its own settings send them. Where the traces go must never cost a call: a worker
looks at it when it starts, and a process of a call goes on without.
"""

import logging
import os

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

logger = logging.getLogger("trunkline.worker")

ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")


def provider_here() -> TracerProvider | None:
    """A provider that exports over OTLP/HTTP; None where no collector is named, or it can't be made
    of what is named: that is said in the log.
    """
    if not any(os.environ.get(name) for name in ENDPOINTS):
        return None
    try:
        return _made()
    except Exception as problem:
        logger.error("no traces are made: %s", fault_of(problem))
        return None


def fault_here() -> str | None:
    """What is wrong with OpenTelemetry's variables, in one sentence; None if traces can be made."""
    if not any(os.environ.get(name) for name in ENDPOINTS):
        return None
    try:
        _made().shutdown()
    except Exception as problem:
        return fault_of(problem)
    return None


def fault_of(problem: Exception) -> str:
    """Without the text of the exception: a header of OpenTelemetry's may hold a secret."""
    name = type(problem).__name__
    return f"OpenTelemetry does not take what its OTEL_… variables say here ({name})"


def _made() -> TracerProvider:
    provider = TracerProvider(resource=Resource.create({"service.name": "trunkline-runtime"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider
